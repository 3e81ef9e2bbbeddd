import { defineConfig, type Plugin } from "vite";

/**
 * Chrome runs this file as a classic script, and again each time a page is saved: wrapped in a
 * function, it leaves no declarations behind that the next run would repeat.
 */
function classicScript(name: string): Plugin {
  return {
    name: "carrel-classic-script",
    generateBundle(_options, bundle) {
      const part = bundle[name];
      if (part?.type !== "chunk" || part.imports.length > 0 || part.exports.length > 0)
        return this.error(`${name} must be one script without imports or exports.`);
      part.code = `(() => {${part.code}})();\n`;
    },
  };
}

/** The unpacked extension: public/ as it is, the popup, the service worker and the page reader. */
export default defineConfig({
  plugins: [classicScript("read-page.js")],
  build: {
    target: "chrome120",
    sourcemap: false,
    reportCompressedSize: false,
    modulePreload: false,
    rolldownOptions: {
      input: {
        popup: "popup.html",
        background: "src/background.ts",
        "read-page": "src/read-page.ts",
      },
      output: { entryFileNames: "[name].js" },
    },
  },
});
