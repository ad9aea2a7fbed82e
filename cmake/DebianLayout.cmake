# Moves files of the Debian package to where Debian expects them, and leaves out the worker of TensorRT, which not every
# build has. CPack runs this before it writes the package.
set(share "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share")
file(MAKE_DIRECTORY "${share}/zsh/vendor-completions")
file(RENAME "${share}/zsh/site-functions/_assay" "${share}/zsh/vendor-completions/_assay")
file(REMOVE_RECURSE "${share}/zsh/site-functions")
file(RENAME "${share}/doc/assay/LICENSE" "${share}/doc/assay/copyright")
file(REMOVE "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/libexec/assay/assay-worker-tensorrt")
