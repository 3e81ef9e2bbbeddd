// Jest's list of related tests resolves packages without conditions; ours have their source under one.
module.exports = (path, options) =>
  options.defaultResolver(path, {
    ...options,
    conditions: ["@carrel/source", "node", "import", "require", "default"],
  });
