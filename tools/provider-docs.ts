import { vendors } from "@carrel/providers";
import { vectorProviders } from "@carrel/vector-store";

interface Field {
  key: string;
  required: boolean;
  default?: string | number;
}

const location = {
  builtin: "runs in Carrel",
  local: "goes to the address you set",
  hosted: "goes to the vendor",
};

const describeTests = (triedWith: string | undefined): string =>
  triedWith === undefined ? "protocol" : `protocol and ${triedWith}`;

const mark = (value: boolean | undefined): string => (value ? "yes" : "no");

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}

/** Required settings without a default are bold; defaults follow in brackets. */
function listSettings(fields: readonly Field[]): string {
  return fields
    .map((field) => {
      const key = `\`${field.key}\``;
      if (field.default === undefined) return field.required ? `**${key}**` : key;
      return field.default === "" ? key : `${key} (${field.default})`;
    })
    .join(", ");
}

interface Named {
  id: string;
  name: string;
  group: keyof typeof location;
  dataPolicyUrl?: string;
}

const identify = ({ id, name }: Pick<Named, "id" | "name">): string[] => [name, `\`${id}\``];
const data = ({ group, dataPolicyUrl }: Named): string =>
  dataPolicyUrl === undefined ? location[group] : `[${location[group]}](${dataPolicyUrl})`;

function languageTable(): string {
  return table(
    [
      "provider",
      "id",
      "data",
      "images",
      "documents",
      "tools",
      "structured output",
      "lists models",
      "tested",
      "settings",
    ],
    vendors.flatMap((vendor) => {
      const { language } = vendor;
      if (language === undefined) return [];
      const { images, files, tools, output } = language.supports ?? {};
      return [
        [
          ...identify(vendor),
          data(vendor),
          ...[images, files, tools, output].map(mark),
          mark(language.listModels !== undefined),
          language.supports === undefined ? "" : describeTests(vendor.triedWith),
          listSettings(language.fields),
        ],
      ];
    }),
  );
}

function embeddingTable(): string {
  return table(
    ["provider", "id", "data", "lists models", "tested", "settings"],
    vendors.flatMap((vendor) => {
      const { embedding } = vendor;
      if (embedding === undefined) return [];
      const { listModels, triedWith } = embedding;
      return [
        [
          ...identify(vendor),
          data(vendor),
          mark(listModels !== undefined),
          vendor.group === "builtin" ? triedWith! : describeTests(triedWith),
          listSettings(embedding.fields),
        ],
      ];
    }),
  );
}

function mediaTable(): string {
  return table(
    ["provider", "id", "purpose", "data", "settings"],
    vendors.flatMap((vendor) =>
      (["speech", "dictation", "transcription", "image"] as const).flatMap((purpose) => {
        const capability = vendor[purpose];
        if (capability === undefined) return [];
        const { id, name } = { name: vendor.name, ...capability, id: vendor.id };
        const place = capability.create === undefined ? "stays in the browser" : data(vendor);
        return [[...identify({ id, name }), purpose, place, listSettings(capability.fields)]];
      }),
    ),
  );
}

function vectorTable(): string {
  return table(
    ["store", "id", "data", "settings"],
    vectorProviders.map((store) => [...identify(store), data(store), listSettings(store.fields)]),
  );
}

/** docs/providers.md, from the declarations of the vendors and stores. */
export function buildProviderDocs(): string {
  return `# Providers

\`./carrel providers\` writes this page from \`libs/providers/src/vendors\` and \`libs/vector-store/src/stores.ts\`. Settings in bold are required; defaults are in brackets. Each is tested with a fake server that follows the vendor's published API; _tested_ also names the real one it was tried with, if any.

## Language models

All stream text and reasoning, report token usage where the vendor counts it, and stop within 300 ms. The columns say what Carrel can send and receive; some models of a vendor do less.

${languageTable()}

## Embedding models

Questions and passages get the vendor's input types, or the prefixes that a model was trained with. Texts are sent in batches within the vendor's limits; what it finds too long is embedded in parts.

${embeddingTable()}

## Speech, dictation, transcription and images

Speech reads answers aloud, dictation types what people say into a microphone, and transcription makes documents of recordings. Images are for agents, which don't exist yet.

${mediaTable()}

## Vector databases

${vectorTable()}
`;
}
