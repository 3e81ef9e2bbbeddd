import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceWire } from "@carrel/contracts";
import { guardedFolder, poll, waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Api } from "../api.ts";
import { launch, original, type Launch } from "../checkout-copy.ts";

const password = "Grüße aus dem Backup 2026!";
const question = "How much is the deposit of flat C-02?";
const content = "The deposit of flat C-02 is 1,900 euros, paid in three parts.";

const carrel = (env: Record<string, string | undefined>, ...args: string[]): Promise<Launch> =>
  launch(original, { env, command: [join(original, "carrel"), ...args] });

/**
 * Backs up S3 and a PostgreSQL server and restores them into a data folder. Runs last, because it
 * sets a password.
 */
export function testBackup(
  instance: () => Launch,
  environment: () => Record<string, string>,
): void {
  describe("a backup of the running instance, restored into a new data folder", () => {
    const folder = guardedFolder("carrel-restored-");
    const [backups, home, key] = ["backups", "home", "instance.key"].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    let slug: string;
    let restored: Launch;
    let api: Api;

    beforeAll(async () => {
      const before = new Api(instance().url);
      ({ slug } = await before.makeWorkspace("Kept"));
      await before.upload("upload-and-embed", slug, "deposit.txt", content);
      await before.ask(slug, question);
      await before.json("POST", "/system/update-password", {
        usePassword: true,
        newPassword: password,
      });
      mkdirSync(backups);
      const backup = await carrel(environment(), "backup", "--to", backups, "--export-key", key);
      expect([await backup.ended, backup.output()]).toEqual([
        0,
        expect.stringContaining("Backed up to"),
      ]);
      const file = join(backups, readdirSync(backups)[0]!);
      const restore = await carrel({ CARREL_HOME: home }, "restore", file, "--key", key);
      expect([await restore.ended, restore.output()]).toEqual([
        0,
        expect.stringContaining("Restored."),
      ]);
      restored = await launch(original, {
        env: { CARREL_HOME: home, CARREL_LOG_LEVEL: "warn", CARREL_MODEL_HUB: "off" },
      });
      await restored.ready();
      api = new Api(restored.url);
    });
    afterAll(() => restored?.stop());

    it("keeps the password", async () => {
      expect((await api.call("GET", "/workspaces")).status).toBe(401);
      const { token } = await api.json<{ token: string }>("POST", "/request-token", { password });
      api.token = token;
      expect((await api.call("GET", "/workspaces")).status).toBe(200);
    });

    it("answers with citations, also in chats of before, and has the originals", async () => {
      const { history } = await api.json<{ history: { role: string; content: string }[] }>(
        "GET",
        `/workspace/${slug}/chats`,
      );
      expect(history.map((entry) => entry.content)[1]).toContain("1,900 euros");
      // The search indexes are rebuilt first.
      const sources = await waitFor(
        async (): Promise<SourceWire[] | false> => {
          const { text, frames } = await api.ask(slug, question);
          return (
            text.includes("1,900 euros") &&
            frames.flatMap((frame) => ("sources" in frame ? frame.sources : []))
          );
        },
        { timeoutMs: 120_000, what: "the answer from the restored index" },
      );
      expect(sources[0]).toMatchObject({ title: "deposit.txt" });
      const { originalUrl } = await api.json<{ originalUrl: string }>(
        "GET",
        `/workspace/${slug}/documents/${sources[0]!.documentId}/text?start=0`,
      );
      expect(await (await fetch(restored.url + originalUrl)).text()).toBe(content);
    });

    it("makes all documents searchable again, with the same key", async () => {
      await poll(async () => {
        const { documents } = await api.json<{ documents: { state: string }[] }>(
          "GET",
          `/workspace/${slug}/documents`,
        );
        return documents.map(({ state }) => state);
      }).toEqual(["searchable"]);
      expect(readFileSync(join(home, "secret.key"), "utf8")).toBe(readFileSync(key, "utf8"));
    });
  });
}
