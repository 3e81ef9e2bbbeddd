import { readdirSync, statSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { waitFor, type Instance, poll } from "@carrel/testing";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { Api } from "../api.ts";

interface FileRow {
  id: number;
  filename: string;
  workspaceId: number;
  userId: number | null;
  threadId: number | null;
  metadata: string;
  tokenCountEstimate: number;
  createdAt: string;
}
interface Files {
  files: { id: number; title: string; location: string; token_count_estimate: number }[];
  contextWindow: number | null;
  currentContextTokenCount: number;
}
interface Detail {
  workspace: {
    documents: { docpath: string; pinned: boolean }[];
    currentContextTokenCount: number;
  };
}

export function testThreadFiles(instance: () => Instance): void {
  describe("files dropped on a chat, pins and the vector reset, in the wire of existing clients", () => {
    let api: Api;
    let slug: string;
    let threadSlug: string;
    beforeAll(async () => {
      api = new Api(instance().url);
      ({ slug } = await api.makeWorkspace("Dropped"));
      threadSlug = (
        await api.json<{ thread: { slug: string } }>("POST", `/workspace/${slug}/thread/new`)
      ).thread.slug;
    });

    const parse = async (
      name: string,
      content: string,
      fields: Record<string, string> = {},
    ): Promise<FileRow> => {
      const reply = await api.upload("parse", slug, name, content, "text/plain", fields);
      expect({ status: reply.status, text: reply.text.slice(0, 200) }).toMatchObject({
        status: 200,
      });
      const { success, error, files } = reply.json<{
        success: boolean;
        error: null;
        files: FileRow[];
      }>();
      expect({ success, error, count: files.length }).toEqual({
        success: true,
        error: null,
        count: 1,
      });
      return files[0]!;
    };
    const list = (thread?: string): Promise<Files> =>
      api.json<Files>(
        "GET",
        `/workspace/${slug}/parsed-files${thread === undefined ? "" : `?threadSlug=${thread}`}`,
      );
    const brief = async (
      method: string,
      path: string,
      body?: unknown,
    ): Promise<[number, string]> => {
      const reply = await api.call(method, path, body);
      return [reply.status, reply.text];
    };

    it("parses a file into the thread it was dropped on", async () => {
      const inDefault = await parse("travel.md", "# Travel\n\nThe night train leaves at 22:40.", {
        threadSlug: "null",
      });
      expect(Object.keys(inDefault).sort()).toEqual([
        "createdAt",
        "filename",
        "id",
        "metadata",
        "threadId",
        "tokenCountEstimate",
        "userId",
        "workspaceId",
      ]);
      expect(inDefault).toMatchObject({
        filename: expect.stringMatching(/^travel\.md-[0-9a-f-]{36}\.json$/),
        userId: null,
        threadId: expect.any(Number),
      });
      const inThread = await parse("other.txt", "The tram is painted yellow.", { threadSlug });
      expect(inThread.threadId).not.toBe(inDefault.threadId);
      for (const thread of [undefined, "", "null", "undefined"]) {
        const { files, contextWindow, currentContextTokenCount } = await list(thread);
        expect(files).toEqual([
          {
            id: inDefault.id,
            title: "travel.md",
            location: `direct-uploads/${inDefault.filename}`,
            token_count_estimate: inDefault.tokenCountEstimate,
          },
        ]);
        expect(contextWindow === null || contextWindow > 0).toBe(true);
        expect(currentContextTokenCount).toBe(inDefault.tokenCountEstimate);
      }
      expect((await list(threadSlug)).files.map((file) => file.id)).toEqual([inThread.id]);
      // The next answer in its thread reads it, one in another thread does not.
      expect((await api.ask(slug, "When does the night train leave?")).text).toContain("22:40");
      expect(
        (await api.ask(slug, "When does the night train leave?", threadSlug)).text,
      ).not.toContain("22:40");
      // It does not appear in any library.
      expect((await api.json<Detail>("GET", `/workspace/${slug}`)).workspace).toMatchObject({
        documents: [],
        currentContextTokenCount: inDefault.tokenCountEstimate,
      });
      expect((await api.call("GET", "/system/local-files")).text).not.toContain("travel.md");
    });

    it("rejects unacceptable files, each with its status", async () => {
      expect(await brief("POST", `/workspace/${slug}/parse`, { file: "x" })).toEqual([
        400,
        expect.stringMatching(/^\{"success":false,"error":"Invalid file upload\./),
      ]);
      const empty = new FormData();
      empty.set("threadSlug", "null");
      expect(await brief("POST", `/workspace/${slug}/parse`, empty)).toEqual([
        400,
        expect.stringContaining('"success":false'),
      ]);
      const large = await api.upload("parse", slug, "large.txt", "x".repeat(300_000));
      expect([large.status, large.json<{ success: boolean }>().success]).toEqual([413, false]);
      const broken = await api.upload(
        "parse",
        slug,
        "broken.pdf",
        "%PDF-1.4 this is no pdf",
        "application/pdf",
      );
      expect([broken.status, broken.json()]).toEqual([
        422,
        { success: false, error: "The PDF is damaged or incomplete." },
      ]);
      expect(
        (
          await api.upload("parse", slug, "a.txt", "A.", "text/plain", {
            threadSlug: "no-such-thread",
          })
        ).text,
      ).toBe("Workspace thread does not exist.");
      expect(
        await brief("GET", `/workspace/${slug}/parsed-files?threadSlug=no-such-thread`),
      ).toEqual([404, "Workspace thread does not exist."]);
      for (const odd of ["a\0b", "../..", "'; --", "x".repeat(5_000), "😀"])
        expect([
          odd.slice(0, 9),
          (await api.upload("parse", slug, "a.txt", "A.", "text/plain", { threadSlug: odd }))
            .status,
        ]).toEqual([odd.slice(0, 9), 404]);
      const twice = new FormData();
      for (const one of ["one.txt", "two.txt"]) twice.append("file", new Blob(["Two files."]), one);
      expect((await brief("POST", `/workspace/${slug}/parse`, twice))[0]).toBe(400);
      const unnamed = new FormData();
      unnamed.set("upload", new Blob(["Another field."]), "a.txt");
      expect((await brief("POST", `/workspace/${slug}/parse`, unnamed))[0]).toBe(400);
      for (const [name, content] of [
        ["empty.txt", ""],
        ["nul.txt", "A\0B\0"],
        ["noise.bin", String.fromCharCode(...Array.from({ length: 200 }, (_, n) => n % 32))],
        [`${"n".repeat(400)}.txt`, "Long name."],
      ] as const) {
        const { status } = await api.upload(
          "parse",
          slug,
          name,
          content,
          "application/octet-stream",
          { threadSlug },
        );
        expect([name.slice(0, 9), [200, 415, 422].includes(status)]).toEqual([
          name.slice(0, 9),
          true,
        ]);
      }
      expect((await api.upload("parse", "no-such-workspace", "a.txt", "A.")).status).toBe(404);
      expect((await list()).files.map((file) => file.title)).toEqual(["travel.md"]);
    });

    it("continues when the client disconnects", async () => {
      const border = "border-of-parts";
      const content = "Left behind. ".repeat(10_000);
      const body = `--${border}\r\ncontent-disposition: form-data; name="threadSlug"\r\n\r\n${threadSlug}\r\n--${border}\r\ncontent-disposition: form-data; name="file"; filename="left.txt"\r\ncontent-type: text/plain\r\n\r\n${content}\r\n--${border}--\r\n`;
      // A busy machine reads the body long after it was sent, and a body cut off midway isn't a
      // file.
      const isStored = (): boolean =>
        readdirSync(instance().home, { recursive: true, withFileTypes: true }).some(
          (entry) =>
            entry.isFile() &&
            statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ===
              content.length,
        );
      const leaving = request(`${instance().url}/api/workspace/${slug}/parse`, {
        method: "POST",
        headers: {
          "content-type": `multipart/form-data; boundary=${border}`,
          "content-length": Buffer.byteLength(body),
        },
      });
      leaving.on("error", () => undefined);
      leaving.end(body);
      await waitFor(isStored, { intervalMs: 2, what: "the uploaded file" });
      leaving.destroy();
      await waitFor(async () =>
        (await list(threadSlug)).files.some((file) => file.title === "left.txt"),
      );
    });

    it("removes files again, but only the user's own", async () => {
      const { files } = await list(threadSlug);
      expect(
        await brief("DELETE", `/workspace/${slug}/delete-parsed-files`, { fileIds: [] }),
      ).toEqual([400, "Bad Request"]);
      expect(
        await brief("DELETE", `/workspace/${slug}/delete-parsed-files`, {
          fileIds: [2_000_000_000],
        }),
      ).toEqual([403, "Forbidden"]);
      expect(
        (await brief("DELETE", `/workspace/${slug}/delete-parsed-files`, { fileIds: ["x"] }))[0],
      ).toBe(400);
      expect(
        await brief("DELETE", `/workspace/${slug}/delete-parsed-files`, {
          fileIds: files.map((file) => file.id),
        }),
      ).toEqual([200, ""]);
      expect((await list(threadSlug)).files).toEqual([]);
    });

    it("turns a file into a document of the workspace, pins it, and removes everything", async () => {
      const [file] = (await list()).files;
      expect((await brief("POST", `/workspace/${slug}/embed-parsed-file/2000000000`))[0]).toBe(404);
      expect((await brief("POST", `/workspace/${slug}/embed-parsed-file/nothing`))[0]).toBe(400);
      const { success, error, document } = await api.json<{
        success: boolean;
        error: null;
        document: { docpath: string; pinned: boolean };
      }>("POST", `/workspace/${slug}/embed-parsed-file/${file!.id}`);
      expect({ success, error }).toEqual({ success: true, error: null });
      expect(document).toMatchObject({
        docpath: expect.stringMatching(/^custom-documents\/travel\.md-/),
        pinned: false,
      });
      expect((await list()).files).toEqual([]);
      expect((await api.ask(slug, "When does the night train leave?")).text).toContain("22:40");
      expect(
        await brief("POST", `/workspace/${slug}/update-pin`, {
          docPath: document.docpath,
          pinStatus: true,
        }),
      ).toEqual([200, ""]);
      expect(
        (await api.json<Detail>("GET", `/workspace/${slug}`)).workspace.documents,
      ).toMatchObject([{ docpath: document.docpath, pinned: true }]);
      expect(
        await brief("POST", `/workspace/${slug}/update-pin`, {
          docPath: "custom-documents/nothing.json",
          pinStatus: true,
        }),
      ).toEqual([404, "Not Found"]);
      const { vectorCount } = await api.json<{ vectorCount: number }>(
        "GET",
        `/system/system-vectors?slug=${slug}`,
      );
      expect(vectorCount).toBeGreaterThanOrEqual(0);
      expect(await api.json("GET", "/system/system-vectors?slug=no-such-workspace")).toEqual({
        vectorCount: 0,
      });
      expect(await brief("DELETE", "/workspace/no-such-workspace/reset-vector-db")).toEqual([
        400,
        "Bad Request",
      ]);
      for (let again = 0; again < 2; again++)
        expect((await brief("DELETE", `/workspace/${slug}/reset-vector-db`))[0]).toBe(200);
      expect((await api.json<Detail>("GET", `/workspace/${slug}`)).workspace.documents).toEqual([]);
      expect((await api.call("GET", "/system/local-files")).text).toContain("travel.md");
      type Log = { logs: { event: string }[] };
      const events = async () =>
        (await api.json<Log>("POST", "/system/event-logs", {})).logs.map(({ event }) => event);
      // The event reaches the log a moment later.
      await poll(async () =>
        (await events()).filter((event) => event === "workspace_vectors_reset"),
      ).toHaveLength(1);
    });
  });
}
