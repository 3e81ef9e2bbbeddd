import { waitFor } from "@carrel/testing";
import { makeSampleFiles } from "../../../tools/images/sample-files.ts";
import type { Api } from "../api.ts";

interface Listed {
  documentId: string;
  title: string;
  state: string;
}

const done = ["searchable", "embedding", "embedded", "failed"];

/**
 * Uploads a file of each format and reads its text back: OCR, page rendering and office formats
 * need data files and native code that an image may lack. Returns their number.
 */
export async function readEveryFormat(api: Api): Promise<number> {
  const { slug } = await api.makeWorkspace("Formats");
  const samples = await makeSampleFiles();
  for (const { name, bytes } of samples) {
    const reply = await api.upload("upload-and-embed", slug, name, new Uint8Array(bytes));
    if (reply.status !== 200) throw new Error(`${name}: ${reply.status} ${reply.text}`);
  }
  const list = async (): Promise<Listed[]> =>
    (await api.json<{ documents: Listed[] }>("GET", `/workspace/${slug}/documents`)).documents;
  await waitFor(async () => (await list()).every(({ state }) => done.includes(state)), {
    timeoutMs: 120_000,
    what: "all formats to be read",
  });
  const documents = await list();
  for (const { name, words } of samples) {
    const found = documents.find(({ title }) => title.startsWith(name));
    if (found === undefined || found.state === "failed")
      throw new Error(`${name}: ${JSON.stringify(found ?? null)}`);
    const { text } = await api.json<{ text: string }>(
      "GET",
      `/workspace/${slug}/documents/${found.documentId}/text`,
    );
    if (!text.replaceAll(/\s+/g, " ").includes(words))
      throw new Error(`${name}: its text is ${JSON.stringify(text.slice(0, 200))}`);
  }
  return samples.length;
}
