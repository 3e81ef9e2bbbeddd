import { readFileSync } from "node:fs";
import { colouredLogos, plainLogos } from "./provider-logo.tsx";

/** Carrel's own mark, or the browser's. */
const ours = ["extractive", "local-gguf", "native"];
/** No permissively licensed set has these logos; initials are shown instead. */
const withoutLogo = [
  "apipie",
  "chroma",
  "chromacloud",
  "generic-openai",
  "koboldcpp",
  "kokoro",
  "lancedb",
  "lemonade",
  "litellm",
  "local",
  "localai",
  "omlx",
  "pinecone",
  "piper_local",
  "privatemode",
  "textgenwebui",
  "weaviate",
];

it("has a logo for every declared provider, except those listed as having none", () => {
  // Generated from all vendors and vector stores; a test keeps it up to date.
  const declared = readFileSync("docs/providers.md", "utf8").matchAll(/^\| [^|`]+ \| `(\S+)`/gm);
  const ids = new Set([...declared].map(([, id]) => id));
  expect(ids.size).toBeGreaterThan(50);
  expect(
    [ours, withoutLogo, Object.keys(colouredLogos), Object.keys(plainLogos)].flat().sort(),
  ).toEqual([...ids].sort());
});
