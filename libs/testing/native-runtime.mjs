import { createRequire, flushCompileCache, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import JestRuntime from "jest-runtime";
import { setGlobals } from "./native-globals.mjs";

const require = createRequire(import.meta.url);
const globals = new URL("./native-globals.mjs", import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "@jest/globals" ? { url: globals, shortCircuit: true } : next(specifier, context),
});

const timeoutSymbol = Symbol.for("TEST_TIMEOUT_SYMBOL");
const imports = new Map();

/**
 * Loads tests with Node's own module loader, through tools/swc-hook.mjs, instead of linking them in
 * a separate context. Jest's own runtime reloads Nest, TypeORM and the vendors' packages for each
 * file, which takes two to four seconds of CPU; this loads them once per worker. Files share the
 * worker's globals and modules, so module mocks aren't available and a test must undo its changes;
 * environment variables are restored here.
 */
class NativeRuntime extends JestRuntime {
  #environment = { ...process.env };

  /** The framework is the only Jest module requested here; it starts fresh for each file. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[timeoutSymbol];
    return require(path);
  }

  setGlobalsForRuntime(jestGlobals) {
    setGlobals(jestGlobals);
  }

  requireModule(path) {
    return require(path);
  }

  unstable_importModule(path) {
    Error.prepareStackTrace = undefined; // jest-runner's hides the source maps that Node knows
    // The query makes another run in the same process, as in watch mode, load the file again.
    const count = imports.get(path) ?? 0;
    imports.set(path, count + 1);
    return import(`${pathToFileURL(path).href}${count === 0 ? "" : `?import=${count}`}`);
  }

  teardown() {
    for (const name of Object.keys(process.env))
      if (!(name in this.#environment)) delete process.env[name];
    Object.assign(process.env, this.#environment);
    // Otherwise the worker writes thousands of compiled modules when it ends, and the processes
    // that tests start meanwhile compile them again.
    flushCompileCache();
    super.teardown();
  }
}

export { NativeRuntime as "module.exports" };
