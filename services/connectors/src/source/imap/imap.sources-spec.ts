import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { listAll, readFetched } from "../../../test/fixture-server.ts";
import {
  explainSkip,
  hasProgram,
  startServer,
  type RealServer,
} from "../../../test/real-server.ts";
import { connector } from "./imap.connector.ts";

const password = "secret";
const isHere =
  hasProgram("dovecot", ["--version"], /^2\./) && hasProgram("openssl", ["version"], /SSL/);

/** Files of a mailbox belong to the user that Dovecot's packages create. */
const mailUser = Number(spawnSync("id", ["-u", "dovecot"], { encoding: "utf8" }).stdout.trim());

/** One process in the foreground, with a mailbox as Maildir and a self-signed certificate. */
function prepareDovecot(folder: string, port: number, isTls: boolean) {
  chmodSync(folder, 0o755);
  spawnSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"],
      ...["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")],
    ],
    { stdio: "ignore" },
  );
  writeFileSync(join(folder, "users"), `ada:{PLAIN}${password}\n`);
  writeFileSync(
    join(folder, "dovecot.conf"),
    `protocols = imap
    base_dir = ${folder}/run
    state_dir = ${folder}/state
    log_path = /dev/stderr
    listen = 127.0.0.1
    ssl = required
    ssl_cert = <${folder}/cert.pem
    ssl_key = <${folder}/key.pem
    mail_location = maildir:${folder}/mail
    first_valid_uid = 1
    namespace inbox {
      inbox = yes
      separator = /
      mailbox Trash {
        special_use = \\Trash
      }
    }
    passdb {
      driver = passwd-file
      args = ${folder}/users
    }
    userdb {
      driver = static
      args = uid=dovecot gid=dovecot home=${folder}/mail
    }
    service imap-login {
      inet_listener imap {
        port = ${isTls ? 0 : port}
      }
      inet_listener imaps {
        port = ${isTls ? port : 0}
        ssl = yes
      }
    }`,
  );
  return { command: "dovecot", args: ["-F", "-c", join(folder, "dovecot.conf")] };
}

(isHere ? describe : describe.skip)(
  explainSkip("a mailbox of Dovecot", isHere, "apt-get install dovecot-imapd openssl"),
  () => {
    describe.each(["tls", "starttls"] as const)("over %s", (security) => {
      let server: RealServer;
      let mail = "";
      beforeEach(async () => {
        server = await startServer((folder, port) => {
          mail = join(folder, "mail");
          for (const name of ["", "cur", "new", "tmp"]) makeFolder(join(mail, name));
          return prepareDovecot(folder, port, security === "tls");
        });
      });
      afterEach(() => server.stop());

      const makeFolder = (path: string): void => {
        mkdirSync(path, { recursive: true });
        chownSync(path, mailUser, mailUser);
      };
      const pathOf = (name: string, folder = ""): string =>
        join(mail, folder, "cur", `${1_700_000_000 + Number(name)}.${name}.host:2,S`);
      const write = (name: string, subject: string, folder = ""): void => {
        for (const part of ["", "cur", "new", "tmp"])
          if (folder !== "") makeFolder(join(mail, folder, part));
        const path = pathOf(name, folder);
        writeFileSync(
          path,
          `From: Ada <ada@example.com>\r\nSubject: ${subject}\r\nMessage-ID: <${name}${folder}@example.com>\r\nDate: Mon, 24 Nov 2025 15:59:00 +0000\r\n\r\nText ${name}\r\n`,
        );
        chownSync(path, mailUser, mailUser);
      };
      const open = (more: object = {}, sent = password) => {
        const { hostname, port } = new URL(server.address);
        return connector.open(
          connector.settings.parse({
            host: hostname,
            port: Number(port),
            security,
            anyCertificate: true,
            ...more,
          }),
          { user: "ada", password: sent },
          server.context,
        );
      };
      const titles = async (more: object = {}) =>
        (await listAll(await open(more))).map(({ title }) => title).toSorted();

      it("gives all messages of its folders, and marks none as read", async () => {
        for (let n = 1; n <= 300; n += 1) write(String(n), `Message ${n}`);
        write("1", "In work", ".Work");
        write("1", "Thrown away", ".Trash");
        const source = await open({ folders: [] });
        await source.check();
        const items = await listAll(source);
        expect(items).toHaveLength(301);
        const found = items.find(({ title }) => title === "Message 7")!;
        expect(await readFetched(await source.fetch(found.item, null))).toContain("Text 7");
        expect(await titles({ folders: ["Work"] })).toEqual(["In work"]);
      });

      it("tells deleted and new messages", async () => {
        write("1", "Kept");
        write("2", "Deleted");
        expect(await titles()).toEqual(["Deleted", "Kept"]);
        rmSync(pathOf("2"));
        write("3", "New");
        expect(await titles()).toEqual(["Kept", "New"]);
        renameSync(pathOf("1"), pathOf("1").replace(":2,S", ":2,FS"));
        expect(await titles()).toEqual(["Kept", "New"]);
      });

      it("refuses a wrong password and, unless that is allowed, its own certificate", async () => {
        await expect((await open({}, "wrong")).check()).rejects.toMatchObject({
          code: "source.sign-in-refused",
        });
        await expect((await open({ anyCertificate: false })).check()).rejects.toMatchObject({
          code: "source.encryption-refused",
        });
      });
    });
  },
);
