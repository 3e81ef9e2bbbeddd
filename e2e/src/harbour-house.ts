import { waitFor } from "@carrel/testing";
import type { Api } from "./api.ts";
import { makePdf } from "./make-pdf.ts";

export const handbook = `# Harbour house handbook

## Waste

Glass is collected on the second Tuesday of the month. The bins stand behind the bicycle shed.

## Laundry

A wash costs two tokens, which Mrs. Albers sells on the ground floor.
`;
export const boiler = makePdf([
  [
    { text: "Boiler log", size: 20, bold: true },
    { text: "" },
    { text: "The boiler in the cellar was built in 1998 and renewed in 2016." },
    { text: "Its chimney is swept twice a year by the guild of the harbour." },
  ],
  [
    { text: "Heating", size: 16, bold: true },
    { text: "" },
    { text: "The flow temperature of the heating circuit is set to 48 degrees." },
    { text: "" },
    { text: "Radiators on the top floor have to be bled once a year." },
  ],
]);
export const rents =
  "Flat,Tenant,Monthly rent\nG1,Bakery Holm,1450 euro\nF2,Ines Carstens,820 euro\n";

/** Creates a workspace with the handbook, the boiler log and the rents; returns its slug. */
export async function createHarbourHouse(api: Api, name = "Harbour house"): Promise<string> {
  const { slug } = await api.makeWorkspace(name);
  for (const [file, content, type] of [
    ["handbook.md", handbook, "text/markdown"],
    ["boiler.pdf", Uint8Array.from(boiler), "application/pdf"],
    ["rents.csv", rents, "text/csv"],
  ] as const) {
    const { status, text } = await api.upload("upload-and-embed", slug, file, content, type);
    if (status !== 200) throw new Error(`${file}: ${status} ${text}`);
  }
  await waitFor(
    async () => {
      const { documents } = await api.json<{ documents: { state: string }[] }>(
        "GET",
        `/workspace/${slug}/documents?offset=0&limit=10`,
      );
      return documents.every(({ state }) =>
        ["searchable", "embedding", "embedded"].includes(state),
      );
    },
    { timeoutMs: 60_000 },
  );
  return slug;
}
