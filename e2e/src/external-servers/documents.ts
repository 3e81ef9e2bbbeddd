import type { SourceWire } from "@carrel/contracts";
import { startFakeSite, waitFor, type FakeS3, type FakeSite } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Api } from "../api.ts";
import type { Launch } from "../checkout-copy.ts";
import { kinds, mistyped } from "./document-kinds.ts";

interface Uploaded {
  success: boolean;
  error: string | null;
  document: { id: string; location: string } | null;
}
interface Text {
  text: string;
  start: number;
  title: string;
  mime: string;
  page: number | null;
  originalUrl: string | null;
}

/**
 * Originals are stored in S3 here (a fake that speaks its protocol), and links may point to the
 * site on this machine.
 */
export function testDocuments(instance: () => Launch, s3: () => FakeS3): void {
  describe("documents of every kind, with S3 as the blob store", () => {
    let site: FakeSite;
    let api: Api;
    beforeAll(async () => {
      site = await startFakeSite();
      api = new Api(instance().url);
    });
    afterAll(() => site?.stop());

    /** Asks, and opens the first source at the place it refers to. */
    async function askAndOpen(
      slug: string,
      question: string,
    ): Promise<{ answer: string; source: SourceWire; text: Text; passage: string }> {
      const answer = await api.ask(slug, question);
      const source = answer.frames.flatMap((frame) => ("sources" in frame ? frame.sources : []))[0];
      if (!source) throw new Error(`no source for "${question}": ${answer.raw}`);
      const text = await api.json<Text>(
        "GET",
        `/workspace/${slug}/documents/${source.documentId}/text?start=0`,
      );
      return {
        answer: answer.text,
        source,
        text,
        passage: text.text.slice(source.start! - text.start, source.end! - text.start),
      };
    }

    it.each(kinds)(
      "%s is cited in an answer, and its source opens at the passage",
      async (name, type, content, question, fact) => {
        const { slug } = await api.makeWorkspace(`Kind ${name}`);
        expect(
          (await api.upload("upload-and-embed", slug, name, content, type)).json<Uploaded>(),
        ).toMatchObject({ success: true, error: null });
        const { answer, source, text, passage } = await askAndOpen(slug, question);
        expect(answer).toContain(fact);
        expect(source.title).toBe(name);
        expect(passage).toContain(fact);
        if (name.endsWith(".pdf")) expect(source).toMatchObject({ page: 2 });
        // The unchanged original, from S3 through the gateway.
        const original = await fetch(instance().url + text.originalUrl!);
        expect(original.status).toBe(200);
        expect(
          Buffer.from(await original.arrayBuffer()).equals(Buffer.from(content as string)),
        ).toBe(true);
      },
    );

    it("returns ranges of an original stored in S3", async () => {
      const { slug } = await api.makeWorkspace("Ranges");
      await api.upload("upload-and-embed", slug, "digits.txt", "0123456789 are the digits.");
      const { documents } = await api.json<{ documents: { documentId: string }[] }>(
        "GET",
        `/workspace/${slug}/documents`,
      );
      const { originalUrl } = await api.json<Text>(
        "GET",
        `/workspace/${slug}/documents/${documents[0]!.documentId}/text`,
      );
      const part = await fetch(instance().url + originalUrl!, { headers: { range: "bytes=2-5" } });
      expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
        206,
        "bytes 2-5/26",
        "2345",
      ]);
      expect(
        (await fetch(instance().url + originalUrl!, { headers: { range: "bytes=500-" } })).status,
      ).toBe(416);
      expect(
        s3().requests.some(({ method, path }) => method === "GET" && path.includes("original/")),
      ).toBe(true);
      expect(
        s3().requests.every(({ authorization }) =>
          authorization?.startsWith("AWS4-HMAC-SHA256 Credential=key/"),
        ),
      ).toBe(true);
    });

    it("fetches a link, answers from it, and opens it", async () => {
      const { slug } = await api.makeWorkspace("Links");
      const reply = (
        await api.call("POST", `/workspace/${slug}/upload-link`, {
          link: `${site.url}/article`,
          embed: true,
        })
      ).json<Uploaded>();
      expect(reply).toMatchObject({ success: true, error: null });
      const { answer, source, passage } = await askAndOpen(
        slug,
        "When was the lighthouse of Fernholt built?",
      );
      expect(answer).toContain("built in 1874");
      // Pages get the wire's titles: the address as a file name.
      expect(source).toMatchObject({
        title: "127.0.0.1-article.html",
        chunkSource: `link://${site.url}/article`,
      });
      expect(passage).toContain("built in 1874");
      // Uploaded the way existing clients do: into the library first, then added by docpath.
      const { slug: other } = await api.makeWorkspace("Links of others");
      expect(
        (
          await api.call("POST", `/workspace/${other}/upload-link`, { link: `${site.url}/article` })
        ).json(),
      ).toMatchObject({ success: true, error: null });
    });

    it.each([
      "/error",
      "/missing",
      "/binary",
      "/empty",
      "/loop",
      "/cut",
      "/redirect?to=http://10.0.0.1/",
    ])("says why the link %s cannot be read, and keeps nothing", async (path) => {
      const { slug } = await api.makeWorkspace("Bad links");
      const before = (await api.call("GET", "/system/local-files")).text;
      const reply = await api.call("POST", `/workspace/${slug}/upload-link`, {
        link: `${site.url}${path}`,
        embed: true,
      });
      expect([200, 400, 422]).toContain(reply.status);
      expect(reply.json<Uploaded>()).toMatchObject({
        success: false,
        error: expect.stringMatching(/\w{4,}/),
      });
      expect((await api.call("GET", "/system/local-files")).text).toBe(before);
      // A page that was fetched but cannot be read is listed in the panel with the reason.
      const { documents } = await api.json<{ documents: unknown[] }>(
        "GET",
        `/workspace/${slug}/documents`,
      );
      expect(documents).toEqual(
        path === "/binary"
          ? [expect.objectContaining({ state: "failed", hasOriginal: false })]
          : [],
      );
    });

    it("update-embeddings reports missing documents, and adds the others", async () => {
      const { slug } = await api.makeWorkspace("Some unknown");
      await api.upload("upload", slug, "known.txt", "The gate is locked at ten o'clock.");
      const { localFiles } = await api.json<{
        localFiles: { items: { name: string; items: { name: string; title: string }[] }[] };
      }>("GET", "/system/local-files");
      const known = `custom-documents/${localFiles.items.flatMap((folder) => folder.items).find((file) => file.title === "known.txt")!.name}`;
      const unknown = ["custom-documents/never-was.json", "../../etc/passwd", ""];
      const changed = await api.json<{
        workspace: { documents: { docpath: string }[] };
        message: string | null;
      }>("POST", `/workspace/${slug}/update-embeddings`, {
        adds: [...unknown, known],
        deletes: ["custom-documents/never-was.json"],
      });
      expect(changed.workspace.documents.map(({ docpath }) => docpath)).toEqual([known]);
      expect(changed.message).toMatch(/\w{4,}/);
      expect((await api.ask(slug, "When is the gate locked?")).text).toContain("at ten o'clock");
    });

    it("reports progress while documents are added: to existing clients and to ours, each in its own format", async () => {
      const { slug } = await api.makeWorkspace("Progress");
      const titles = ["first.txt", "second.txt"];
      for (const title of titles)
        await api.upload("upload", slug, title, `The ${title} tells of the harbour.`);
      const { localFiles } = await api.json<{
        localFiles: { items: { name: string; items: { name: string; title: string }[] }[] };
      }>("GET", "/system/local-files");
      const adds = titles.map(
        (title) =>
          `custom-documents/${localFiles.items.flatMap((folder) => folder.items).find((file) => file.title === title)!.name}`,
      );
      const leave = new AbortController();
      const heard = await Promise.all(
        [undefined, { "x-carrel-stream": "1" }].map(async (headers) => {
          const reply = await fetch(`${instance().url}/api/workspace/${slug}/embed-progress`, {
            headers,
            signal: leave.signal,
          });
          expect(reply.headers.get("content-type")).toContain("text/event-stream");
          const stream = { text: "" };
          void (async () => {
            for await (const piece of reply.body!)
              stream.text += Buffer.from(piece as Uint8Array).toString();
          })().catch((error: unknown) => {
            if (!leave.signal.aborted) stream.text += String(error);
          });
          return stream;
        }),
      );
      await api.json("POST", `/workspace/${slug}/update-embeddings`, { adds, deletes: [] });
      const [theirs, ours] = heard as [{ text: string }, { text: string }];
      await waitFor(
        async () =>
          theirs.text.includes("all_complete") &&
          ours.text.split('"state":"searchable"').length > 2,
      );
      leave.abort();
      for (const type of ["batch_starting", "doc_starting", "doc_complete"])
        expect(theirs.text).toContain(`"type":"${type}"`);
      expect(theirs.text).not.toContain("document_state");
      expect(theirs.text).toMatch(/"type":"all_complete".*"totalDocs":2.*"embedded":2.*"failed":0/);
    });

    it.each(mistyped)(
      "%s, whose type is wrong, is read by its content or rejected with the reason",
      async (name, type, content, fact) => {
        const { slug } = await api.makeWorkspace(`Liar ${name}`);
        const before = (await api.call("GET", "/system/local-files")).text;
        const reply = await api.upload("upload-and-embed", slug, name, content, type);
        expect(reply.status).toBeLessThan(500);
        const body = reply.json<Uploaded>();
        if (fact !== null) {
          expect(body).toMatchObject({ success: true, error: null });
          expect((await api.ask(slug, "Who is the harbour master?")).text).toContain(fact);
        } else {
          expect(body).toMatchObject({ success: false, error: expect.stringMatching(/\w{4,}/) });
          expect((await api.call("GET", "/system/local-files")).text).toBe(before);
          // The panel gives the reason; the file itself isn't kept.
          const { documents } = await api.json<{ documents: unknown[] }>(
            "GET",
            `/workspace/${slug}/documents`,
          );
          expect(documents).toEqual([
            expect.objectContaining({
              title: name,
              state: "failed",
              reason: expect.objectContaining({
                code: expect.stringMatching(/^file\.(content-unsupported|damaged)/),
              }),
              hasOriginal: false,
            }),
          ]);
        }
      },
    );
  });
}
