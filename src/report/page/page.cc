// The page is one HTML file. What it says in words and tables is plain HTML, which needs no script. The script adds the
// views of the graph, the errors and the checks from one compressed block of data. The content security policy allows
// this script and this style sheet, by their hashes, and nothing else, so that text of a hostile model which somehow
// became markup could neither run nor send anything.

#include "report/page/page.h"

#include <fmt/format.h>

#include <cmath>

#include "base/files.h"
#include "report/page/encode_views.h"
#include "report/page/html_text.h"
#include "report/page/page_assets.h"

namespace assay::report {
namespace {

// A section and its entry in the navigation. Sections that the script fills are hidden until it runs.
struct Section {
  std::string_view id, title;
  std::string html;
  bool of_script = false;
};

std::string tables_html(const std::vector<PageTable>& tables) {
  std::string html;
  for (const PageTable& table : tables) {
    html += html_table(table);
  }
  return html;
}

std::string mark_html(Mark mark) {
  const MarkText text = mark_text(mark);
  return fmt::format(
      "<span class=\"mark {}\"><span aria-hidden=\"true\">{}</span><span class=\"word\">{}</span></span>", text.style,
      text.symbol, text.word);
}

std::string step_html(const PageStep& step) {
  std::string html = fmt::format(
      "<li class=\"step\">{}<div class=\"step-text\"><h3>{}</h3><p>{}</p></div><span class=\"time\">{}</span>",
      mark_html(step.mark), escape(step.question), escape(step.answer), seconds_text(step.seconds));
  if (!step.tables.empty()) {
    html += fmt::format("<details{}><summary>Evidence</summary>{}</details>", step.mark == Mark::bad ? " open" : "",
                        tables_html(step.tables));
  }
  return html + "</li>";
}

std::string steps_html(const Page& page) {
  std::string html = "<ol class=\"steps\">";
  for (const PageStep& step : page.steps) {
    html += step_html(step);
  }
  return html + "</ol>";
}

std::string minimal_html(const MinimalCase& minimal) {
  std::string html;
  if (!minimal.file.empty()) {
    html += "<p>The smallest model that still fails is <code>" + escape(minimal.file) + "</code>.</p>";
  }
  if (!minimal.model_text.empty()) {
    html += "<h3>Its nodes</h3><pre tabindex=\"0\"><code>" + escape(minimal.model_text) + "</code></pre>";
  }
  if (!minimal.commands.empty()) {
    html += "<h3>Reproduce the failure</h3>";
    for (const std::string& command : minimal.commands) {
      html += "<pre class=\"command\" tabindex=\"0\"><code>" + escape(command) + "</code></pre>";
    }
  }
  return html + tables_html(minimal.tables);
}

std::string environment_html(const Page& page) {
  std::string html;
  if (!page.command_line.empty()) {
    html += "<pre class=\"command\" tabindex=\"0\"><code>" + escape(page.command_line) + "</code></pre>";
  }
  html += "<dl class=\"facts\">";
  for (const auto& [name, value] : page.environment) {
    html += "<div><dt>" + escape(name) + "</dt><dd>" + escape(value) + "</dd></div>";
  }
  return html + "</dl>";
}

bool has_errors(const PageGraph& graph) {
  for (const PageTensor& tensor : graph.tensors) {
    if (!(std::isnan(tensor.absolute) && std::isnan(tensor.relative) && std::isnan(tensor.norm))) {
      return true;
    }
  }
  return false;
}

std::vector<Section> sections(const Page& page) {
  std::vector<Section> all;
  const auto add = [&all](std::string_view id, std::string_view title, std::string html) {
    all.push_back({id, title, std::move(html)});
  };
  const auto add_view = [&all](std::string_view id, std::string_view title, bool wanted) {
    if (wanted && !kPageScript.empty()) {
      all.push_back({id, title, "<div class=\"view\"></div>", true});
    }
  };
  if (!page.steps.empty()) {
    add("steps", "Steps", steps_html(page));
  }
  if (!page.tables.empty()) {
    add("results", "Results", tables_html(page.tables));
  }
  add_view("errors", "Error by layer", !page.first_side.empty() && has_errors(page.graph));
  add_view("graph", "Graph", !page.graph.nodes.empty());
  add_view("tensors", "Tensors", !page.graph.tensors.empty());
  add_view("reduction", "Reduction", !page.checks.empty());
  if (page.minimal_case) {
    add("minimal", "Minimal case", minimal_html(*page.minimal_case));
  }
  if (!page.command_line.empty() || !page.environment.empty()) {
    add("environment", "Environment", environment_html(page));
  }
  return all;
}

std::string head_html(const Page& page) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{}'; style-src '{}'; "
      "worker-src blob:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>{}</style></head>\n",
      kPageScriptHash, kPageStyleHash, escape(page.title), kPageStyle);
}

std::string top_html(const Page& page, const std::vector<Section>& all) {
  std::string links;
  for (const Section& section : all) {
    links += fmt::format("<li{}><a href=\"#{}\">{}</a></li>", section.of_script ? " data-script hidden" : "",
                         section.id, section.title);
  }
  return fmt::format(
      "<body><a class=\"skip\" href=\"#main\">Skip to the report</a>\n<header><p "
      "class=\"title\"><strong>Assay</strong> "
      "<bdi>{}</bdi></p><nav aria-label=\"Sections\"><ul>{}</ul></nav><div id=\"tools\"></div></header>\n",
      escape(page.title), links);
}

std::string_view verdict_word(Mark mark) {
  switch (mark) {
    case Mark::good:
      return "No problem found";
    case Mark::bad:
      return "Problem found";
    case Mark::unknown:
      return "Not decided";
    case Mark::skipped:
      return "Skipped";
    case Mark::note:
      break;
  }
  return "Result";
}

std::string main_html(const Page& page, const std::vector<Section>& all) {
  const MarkText mark = mark_text(page.mark);
  std::string html = fmt::format(
      "<main id=\"main\" tabindex=\"-1\">\n<div class=\"banner {}\"><span class=\"symbol\" "
      "aria-hidden=\"true\">{}</span>"
      "<div><p class=\"word\">{}</p><h1>{}</h1></div></div>\n",
      mark.style, mark.symbol, verdict_word(page.mark), escape(page.verdict.empty() ? page.title : page.verdict));
  for (const Section& section : all) {
    html +=
        fmt::format("<section id=\"{0}\" aria-labelledby=\"{0}-title\"{1}><h2 id=\"{0}-title\">{2}</h2>{3}</section>\n",
                    section.id, section.of_script ? " data-script hidden" : "", section.title, section.html);
  }
  return html + "</main>\n";
}

std::string end_html(const Page& page) {
  std::string html = "<aside id=\"selection\" aria-label=\"Selection\" tabindex=\"-1\" hidden></aside>\n<footer>";
  if (kPageScript.empty()) {
    html += "<p>This build of Assay has no interactive views.</p>";
  } else {
    html += "<noscript><p>The plots, the graph and the table of tensors need JavaScript.</p></noscript>";
  }
  html += "<p>Written by Assay, which finds out why ONNX models fail. This file makes no network requests.</p>";
  if (!kPageLicences.empty()) {
    html += "<details><summary>Licences of the libraries in this page</summary><pre tabindex=\"0\">" +
            escape(kPageLicences) + "</pre></details>";
  }
  html += "</footer>\n";
  if (!kPageScript.empty()) {
    html += fmt::format("<script type=\"application/octet-stream\" id=\"data\">{}</script>\n<script>{}</script>\n",
                        encode_views(page), kPageScript);
  }
  return html + "</body></html>\n";
}

}  // namespace

std::string to_html(const Page& page) {
  const std::vector<Section> all = sections(page);
  return head_html(page) + top_html(page, all) + main_html(page, all) + end_html(page);
}

base::Status write_page(const Page& page, const std::filesystem::path& path) {
  return base::write_file(path, to_html(page));
}

}  // namespace assay::report
