//! The linker's arguments for a module whose symbols an interpreter resolves, which macOS needs.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
