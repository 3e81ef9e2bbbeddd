import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build, defineConfig, type LibraryOptions, type Plugin } from "vite";

const dist = join(import.meta.dirname, "dist");

/** Pages in other encodings may not say that the script is in UTF-8. */
const escaped = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

function ascii(): Plugin {
  return {
    name: "carrel-ascii",
    generateBundle: (_options, bundle) => {
      for (const part of Object.values(bundle))
        if (part.type === "chunk") part.code = escaped(part.code);
    },
  };
}

const options = { target: "es2022", sourcemap: false, reportCompressedSize: false } as const;
/** A classic script, because pages load it with an ordinary script tag. */
const scriptOf = (entry: string, file: string): { lib: LibraryOptions; emptyOutDir: boolean } => ({
  lib: {
    entry: join(import.meta.dirname, "src", entry),
    formats: ["iife"],
    name: "carrelWidget",
    fileName: () => file,
  },
  emptyOutDir: entry === "main.tsx",
});

/**
 * Adds the app's preview, the names under which pages load AnythingLLM's widget (its style sheet is
 * empty here), and precompressed copies of everything.
 */
function otherNames(): Plugin {
  return {
    name: "carrel-other-names",
    apply: "build",
    closeBundle: {
      order: "post",
      sequential: true,
      handler: async () => {
        await build({
          configFile: false,
          logLevel: "warn",
          plugins: [lexerOnly(), shapesOnly(), ascii()],
          build: { ...options, ...scriptOf("preview.tsx", "carrel-widget-preview.js") },
        });
        copyFileSync(join(dist, "carrel-widget.js"), join(dist, "anythingllm-chat-widget.min.js"));
        writeFileSync(join(dist, "anythingllm-chat-widget.min.css"), "");
        const names = readdirSync(dist, { recursive: true, encoding: "utf8" });
        for (const name of names.filter((each) => /\.(js|json)$/.test(each))) {
          const bytes = readFileSync(join(dist, name));
          writeFileSync(join(dist, `${name}.br`), brotliCompressSync(bytes));
          writeFileSync(join(dist, `${name}.gz`), gzipSync(bytes, { level: 9 }));
        }
      },
    },
  };
}

/** Removes React's components from Lucide's modules, which then need no React. */
function shapesOnly(): Plugin {
  return {
    name: "carrel-shapes-only",
    transform(code, id) {
      if (!/lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]/.test(id)) return null;
      const data = /^const __iconData = \{\n[^]*?^\};/m.exec(code)?.[0];
      if (data === undefined) return this.error("Lucide is built differently; adapt shapesOnly.");
      return { code: `export ${data}`, map: null };
    },
  };
}

/**
 * Removes everything from marked except its lexer: it assigns the rest to one function, which keeps
 * a bundler from dropping it (3 kB compressed).
 */
function lexerOnly(): Plugin {
  return {
    name: "carrel-lexer-only",
    transform(code, id) {
      if (!/marked[\\/]lib[\\/]marked\.esm\.js$/.test(id)) return null;
      const lexer = /(\w+) as Lexer\b/.exec(code)?.[1];
      const { body } = this.parse(code);
      const end = body.findIndex(({ type }) => type === "ExpressionStatement");
      // Before it: `var instance = new Marked(); function marked() {…}`.
      const kept = body[end - 3];
      if (
        lexer === undefined ||
        (kept?.type !== "VariableDeclaration" && kept?.type !== "FunctionDeclaration")
      )
        return this.error("marked is built differently; adapt lexerOnly.");
      return { code: `${code.slice(0, kept.end)}\nexport { ${lexer} as Lexer };`, map: null };
    },
  };
}

export default defineConfig({
  plugins: [lexerOnly(), shapesOnly(), ascii(), otherNames()],
  build: { ...options, ...scriptOf("main.tsx", "carrel-widget.js") },
});
