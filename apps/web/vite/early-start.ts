import { join } from "node:path";
import { build, type Plugin, type Rolldown } from "vite";

type Files = readonly (readonly [pattern: string, files: readonly string[]])[];
type Bundle = Record<string, Rolldown.OutputChunk | Rolldown.OutputAsset>;

/** The script, bundled into one self-contained string. */
async function compile(
  root: string,
  define: Record<string, string>,
  files: Files,
): Promise<string> {
  const built = await build({
    configFile: false,
    root,
    logLevel: "error",
    publicDir: false,
    resolve: { conditions: ["@carrel/browser", "@carrel/source", "module", "browser"] },
    define: { ...define, routeFiles: JSON.stringify(files) },
    build: {
      write: false,
      target: "es2022",
      lib: { entry: join(root, "src/early-start.ts"), formats: ["iife"], name: "earlyStart" },
    },
  });
  const [output] = [built].flat();
  if (!output || !("output" in output)) throw new Error("early-start.ts has no output");
  return output.output[0].code.trim();
}

/** Pattern of the paths that need this route's chunks; a layout's pattern covers its pages. */
const routePattern = (name: string, names: readonly string[]): string => {
  const isLayout = names.some((other) => other.startsWith(`${name}.`));
  const path = name
    .replace(/(^|\.)index$/, "")
    .split(".")
    .filter((part) => part !== "" && !part.startsWith("_"))
    .map((part) => (part.startsWith("$") ? "/[^/]+" : `/${part}`))
    .join("");
  return `^${path}${isLayout ? "(/|$)" : "/?$"}`;
};

/** Chunks that each route needs in addition to the entry, with everything they import. */
function routeFilesOf(bundle: Bundle): Files {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const reach = (names: readonly string[], seen = new Set<string>()): Set<string> => {
    for (const name of names)
      if (!seen.has(name)) reach(byName.get(name)?.imports ?? [], seen.add(name));
    return seen;
  };
  const entry = reach(chunks.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName));
  const routes = chunks.flatMap((chunk) => {
    const name = /\/routes\/([^/?]+)\.tsx\?tsr-split=component$/.exec(chunk.facadeModuleId ?? "");
    return name?.[1] ? [{ name: name[1], chunk }] : [];
  });
  const names = routes.map(({ name }) => name);
  const filesOf = (chunk: Rolldown.OutputChunk): string[] =>
    [...reach([chunk.fileName])].filter((file) => !entry.has(file)).map((file) => `/${file}`);
  const log = chunks.filter(({ facadeModuleId }) => facadeModuleId?.endsWith("/message-log.tsx"));
  return [
    ...routes.map(({ name, chunk }) => [routePattern(name, names), filesOf(chunk)] as const),
    // Only the default thread is likely to be empty.
    ...log.map((chunk) => ["^/workspace/[^/]+/t/", filesOf(chunk)] as const),
  ];
}

/**
 * Inlines `src/early-start.ts` into index.html and preloads the font that the first paint needs.
 * The gateway permits the inline script by its hash. `define` are constants that it uses.
 */
export function earlyStart(define: Record<string, string>): Plugin {
  let root = "";
  return {
    name: "carrel-early-start",
    config: (_config, { command }) =>
      command === "serve" ? { define: { routeFiles: "[]" } } : undefined,
    configResolved: (config) => {
      root = config.root;
    },
    transformIndexHtml: {
      order: "post",
      handler: async (html, { bundle }) => {
        const marker = "<!-- early-start -->";
        // The development server compiles it like every other module.
        if (!bundle)
          return html.replace(marker, '<script type="module" src="/src/early-start.ts"></script>');
        const script = await compile(root, define, routeFilesOf(bundle));
        const font = Object.keys(bundle).find((file) =>
          /\/inter-latin-opsz-normal-[^/]+\.woff2$/.test(file),
        );
        const preload = font
          ? `<link rel="preload" href="/${font}" as="font" type="font/woff2" crossorigin />\n    `
          : "";
        return html.replace(marker, () => `${preload}<script>${script}</script>`);
      },
    },
  };
}
