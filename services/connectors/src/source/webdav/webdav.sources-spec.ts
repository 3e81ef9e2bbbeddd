import { createHash } from "node:crypto";
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { poll } from "@carrel/testing";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { listAll, readFetched } from "../../../test/fixture-server.ts";
import {
  explainSkip,
  hasProgram,
  startServer,
  type RealServer,
} from "../../../test/real-server.ts";
import { connector } from "./webdav.connector.ts";

const credential = { username: "ada", password: "secret" };
const modules = "/usr/lib/apache2/modules";

/** One process in the foreground, with its files below /dav. */
function prepareApache(folder: string, port: number) {
  const hash = createHash("sha1").update(credential.password).digest("base64");
  writeFileSync(join(folder, "users"), `${credential.username}:{SHA}${hash}\n`, { mode: 0o644 });
  mkdirSync(join(folder, "locks"), { mode: 0o777 });
  const names = "mpm_event authn_core authn_file authz_core authz_user auth_basic mime dav dav_fs";
  const load = names
    .split(" ")
    .map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`);
  writeFileSync(
    join(folder, "apache.conf"),
    `${load.join("\n")}
    ServerRoot ${folder}
    ServerName 127.0.0.1
    Listen 127.0.0.1:${port}
    ${process.getuid?.() === 0 ? "User www-data\nGroup www-data" : ""}
    PidFile ${folder}/apache.pid
    ErrorLog ${folder}/error.log
    TypesConfig /etc/mime.types
    AddDefaultCharset utf-8
    DavLockDB ${folder}/locks/db
    DocumentRoot ${folder}
    <Directory ${folder}>
      Dav On
      Options FollowSymLinks
      AuthType Basic
      AuthName files
      AuthBasicProvider file
      AuthUserFile ${folder}/users
      Require valid-user
    </Directory>`,
  );
  return { command: "apache2", args: ["-X", "-f", join(folder, "apache.conf")] };
}

function prepareRclone(folder: string, port: number) {
  return {
    command: "rclone",
    args: [
      ...["serve", "webdav", join(folder, "dav"), "--addr", `127.0.0.1:${port}`],
      ...["--baseurl", "dav", "--dir-cache-time", "100ms", "--config", join(folder, "none.conf")],
      "--copy-links",
    ],
    env: { RCLONE_USER: credential.username, RCLONE_PASS: credential.password },
  };
}

const servers = [
  {
    name: "Apache",
    isHere: hasProgram("apache2", ["-v"], /Apache/),
    advice: "apt-get install apache2",
    prepare: prepareApache,
  },
  {
    name: "rclone",
    isHere: hasProgram("rclone", ["serve", "--help"], /^ +webdav /m),
    advice: "apt-get install rclone",
    prepare: prepareRclone,
  },
];

describe.each(servers)("WebDAV", ({ name, isHere, advice, prepare }) => {
  (isHere ? describe : describe.skip)(explainSkip(name, isHere, advice), () => {
    let server: RealServer;
    let files = "";
    beforeEach(async () => {
      server = await startServer((folder, port) => {
        files = join(folder, "dav");
        mkdirSync(files);
        return prepare(folder, port);
      });
    });
    afterEach(() => server.stop());
    const write = (path: string, content: string): void => {
      mkdirSync(dirname(join(files, path)), { recursive: true });
      writeFileSync(join(files, path), content);
    };
    const open = (more: object = {}, sent = credential) =>
      connector.open(
        connector.settings.parse({ url: `${server.address}/dav`, ...more }),
        sent,
        server.context,
      );

    it("gives all files, whatever they are called", async () => {
      const paths = [
        "a b+c%20d.txt",
        "größe/日本/🙂.md",
        "q?x=1&y=2#z.txt",
        "it's (1)*!~'\"<>;=@.txt",
        "sub/%2e%2e/%2F.txt",
      ];
      for (const path of paths) write(path, `in ${path}`);
      const source = await open();
      await source.check();
      const items = await listAll(source);
      expect(items.map(({ title }) => title).toSorted()).toEqual(paths.toSorted());
      for (const { item, title, version } of items) {
        expect(version).toMatch(/./);
        expect(await readFetched(await source.fetch(item, null))).toBe(`in ${title}`);
      }
    });

    it("lists a large folder and deep ones", async () => {
      for (let n = 0; n < 2_000; n += 1) write(`many/${n}.txt`, "x");
      write(`${"deep/".repeat(20)}end.txt`, "end");
      const titles = (await listAll(await open())).map(({ title }) => title);
      expect([titles.length, new Set(titles).size]).toEqual([2_001, 2_001]);
      expect(titles).toContain(`${"deep/".repeat(20)}end.txt`);
    });

    it("tells changed, renamed and deleted files", async () => {
      for (const path of ["changed.txt", "kept.txt", "renamed.txt", "deleted.txt"])
        write(path, "before");
      const source = await open();
      const versionsOf = async () =>
        new Map((await listAll(source)).map(({ title, version }) => [title, version]));
      const before = await versionsOf();
      write("changed.txt", "after it");
      utimesSync(join(files, "changed.txt"), new Date(), new Date(Date.now() + 5_000));
      renameSync(join(files, "renamed.txt"), join(files, "other.txt"));
      rmSync(join(files, "deleted.txt"));
      // rclone remembers a folder for a moment.
      await poll(async () => [...(await versionsOf()).keys()].toSorted()).toEqual([
        "changed.txt",
        "kept.txt",
        "other.txt",
      ]);
      const after = await versionsOf();
      expect(after.get("kept.txt")).toBe(before.get("kept.txt"));
      expect(after.get("changed.txt")).not.toBe(before.get("changed.txt"));
      const gone = { path: "deleted.txt", modified: "" };
      await expect(source.fetch(gone, null)).rejects.toMatchObject({ code: "source.missing" });
      expect(await source.current!(gone)).toBeNull();
    });

    it("ends in folders that are in themselves", async () => {
      write("sub/a.txt", "a");
      symlinkSync("..", join(files, "sub/loop"));
      const source = await open();
      let cursor: string | null = null;
      let pages = 0;
      do {
        ({ next: cursor } = await source.list(cursor));
        pages += 1;
      } while (cursor !== null);
      expect(pages).toBeLessThan(100);
    });

    it("refuses a wrong password, and what isn't there", async () => {
      await expect(open({}, { ...credential, password: "wrong" })).rejects.toMatchObject({
        code: "source.denied",
        params: { status: 401 },
      });
      await expect((await open({ folder: "none" })).check()).rejects.toMatchObject({
        code: "source.missing",
      });
    });
  });
});
