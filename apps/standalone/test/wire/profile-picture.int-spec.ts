import { join } from "node:path";
import {
  CarrelError,
  deleteUser,
  findLogo,
  findPicture,
  setLogo,
  setPicture,
} from "@carrel/contracts";
import { createBlobStore, type BlobStore } from "@carrel/storage";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import sharp from "sharp";
import { startGatewayInstance, type GatewayInstance } from "./gateway-instance.ts";

let instance: GatewayInstance;

let blobs: BlobStore;

const rows = new Map<string, string | null>();

const picture = (width = 300, height = 100): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: "teal" } })
    .png()
    .toBuffer();

const form = (
  field: string,
  bytes: Buffer,
  name = "p.png",
  extra: Record<string, string> = {},
): FormData => {
  const made = new FormData();
  for (const [key, value] of Object.entries(extra)) made.append(key, value);
  made.append(field, new Blob([new Uint8Array(bytes)], { type: "image/png" }), name);
  return made;
};

const listPictures = async (): Promise<string[]> => {
  const keys: string[] = [];
  for await (const key of blobs.list("picture/")) keys.push(key);
  return keys;
};

const replace = (row: string, key: string | null): { previous: string | null } => {
  const previous = rows.get(row) ?? null;
  rows.set(row, key);
  return { previous };
};

beforeAll(async () => {
  instance = await startGatewayInstance();
  blobs = createBlobStore({ kind: "disk", root: join(instance.config.CARREL_HOME, "blobs") });
  instance.auth
    .answer(setPicture, ((
      { key }: { key: string | null },
      { scope }: { scope: { principal: { userId: number } } },
    ) => replace(`user ${scope.principal.userId}`, key)) as never)
    .answer(findPicture, (({ id }: { id: number }) => ({
      key: rows.get(`user ${id}`) ?? null,
    })) as never);
  instance.workspace
    .answer(setLogo, (({ key }: { key: string | null }) => {
      const { previous } = replace("logo", key);
      return { unused: previous === null ? [] : [previous] };
    }) as never)
    .answer(findLogo, () => ({ key: rows.get("logo") ?? null, light: null }));
});

afterAll(() => instance?.stop());

describe("the profile picture", () => {
  it("is re-encoded, stored, and shown only to its owner", async () => {
    expect((await instance.call("GET", "/api/system/pfp/3", { bearer: "anna" })).status).toBe(204);
    expect(
      await instance.call("POST", "/api/system/upload-pfp", {
        bearer: "anna",
        body: form("file", await picture()),
      }),
    ).toMatchObject({ status: 200, json: { message: "Profile picture uploaded successfully." } });
    const shown = await instance.call("GET", "/api/system/pfp/3", { bearer: "anna" });
    expect(shown).toMatchObject({
      status: 200,
      headers: {
        "content-type": "image/webp",
        "x-content-type-options": "nosniff",
        "content-security-policy": `sandbox; default-src 'none'`,
        "content-length": String(shown.bytes.length),
      },
    });
    expect(await sharp(shown.bytes).metadata()).toMatchObject({
      format: "webp",
      width: 512,
      height: 512,
    });
    for (const [bearer, path] of [
      ["bela", "/api/system/pfp/3"],
      ["admin", "/api/system/pfp/3"],
      ["anna", "/api/system/pfp/03"],
      ["anna", "/api/system/pfp/3%2f.."],
      ["anna", "/api/system/pfp/4"],
      ["anna", "/api/system/pfp/NaN"],
    ] as const) {
      expect({ path, status: (await instance.call("GET", path, { bearer })).status }).toEqual({
        path,
        status: 204,
      });
    }
    expect((await instance.call("GET", "/api/system/pfp/3")).status).toBe(401);
  });

  it("is replaced and removed without leaving a blob", async () => {
    const [first] = await listPictures();
    expect(first).toMatch(/^picture\/[0-9a-f-]{36}$/);
    expect(
      (
        await instance.call("POST", "/api/system/upload-pfp", {
          bearer: "anna",
          body: form("file", await picture(50, 50)),
        })
      ).status,
    ).toBe(200);
    const keys = await listPictures();
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toBe(first);
    expect(
      await instance.call("DELETE", "/api/system/remove-pfp", { bearer: "anna" }),
    ).toMatchObject({ status: 200, json: { message: "Profile picture removed successfully." } });
    expect(await listPictures()).toEqual([]);
    expect((await instance.call("GET", "/api/system/pfp/3", { bearer: "anna" })).status).toBe(204);
  });

  it("is deleted with its account, whichever route deletes it, and its storage key is never revealed", async () => {
    for (const [path, bearer] of [
      ["/api/admin/user/3", "admin"],
      ["/api/v1/admin/users/3", "key"],
    ] as const) {
      await instance.call("POST", "/api/system/upload-pfp", {
        bearer: "anna",
        body: form("file", await picture()),
      });
      const [pictureKey] = await listPictures();
      instance.auth.answer(deleteUser, () => ({ success: true, error: null, pictureKey }));
      expect(await instance.call("DELETE", path, { bearer })).toMatchObject({
        status: 200,
        text: '{"success":true,"error":null}',
      });
      expect(await listPictures()).toEqual([]);
    }
    rows.delete("user 3");
  });

  it("a failed write leaves no blob; a missing file is 204", async () => {
    instance.principals.set("lost", { kind: "user", userId: 66, role: "default" });
    const answer = instance.auth.answers.get(setPicture.name)!;
    instance.auth.answer(setPicture, () => {
      throw new CarrelError("user.unknown");
    });
    expect(
      (
        await instance.call("POST", "/api/system/upload-pfp", {
          bearer: "lost",
          body: form("file", await picture()),
        })
      ).status,
    ).toBe(404);
    expect(await listPictures()).toEqual([]);
    instance.auth.answers.set(setPicture.name, answer);
    rows.set("user 66", "picture/0b7d2c7e-3c52-4b6a-9a53-000000000001");
    expect((await instance.call("GET", "/api/system/pfp/66", { bearer: "lost" })).status).toBe(204);
  });
});

describe("invalid pictures", () => {
  const boundary = { "content-type": "multipart/form-data; boundary=x" };
  const part = (head: string, body = "abc", end = "\r\n--x--\r\n"): string =>
    `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}${end}`;
  it.each<[string, number, { body?: unknown; headers?: Record<string, string> }]>([
    ["no body", 400, {}],
    ["JSON", 400, { body: { file: "x" } }],
    ["a field of another name", 400, { body: form("logo", Buffer.from("abc")) }],
    ["a field without a file", 400, { body: part('name="file"'), headers: boundary }],
    ["an empty file", 400, { body: form("file", Buffer.alloc(0)) }],
    ["no boundary", 400, { body: "abc", headers: { "content-type": "multipart/form-data" } }],
    [
      "a body that ends early",
      400,
      { body: part('name="file"; filename="a.png"', "abc", ""), headers: boundary },
    ],
    ["a body that is only noise", 400, { body: "\u0000\u0001".repeat(1_000), headers: boundary }],
    [
      "two files",
      400,
      {
        body: part(
          'name="file"; filename="a.png"',
          "abc",
          `\r\n${part('name="file"; filename="b.png"')}`,
        ),
        headers: boundary,
      },
    ],
    [
      "too many fields",
      400,
      {
        body: form(
          "file",
          Buffer.from("abc"),
          "a.png",
          Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}`, "x"])),
        ),
      },
    ],
    [
      "a field named __proto__",
      400,
      { body: part('name="__proto__"; filename="a.png"'), headers: boundary },
    ],
    [
      "SVG",
      415,
      { body: form("file", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), "a.svg") },
    ],
    ["a broken PNG", 400, { body: form("file", Buffer.from("\x89PNG\r\n\x1a\nabc", "latin1")) }],
    ["11 MB", 413, { body: form("file", Buffer.alloc(11_000_000, 1)) }],
  ])("%s", async (_name, status, options) => {
    const answer = await instance.call("POST", "/api/system/upload-pfp", {
      bearer: "anna",
      ...options,
    });
    expect({ status: answer.status, json: answer.json }).toEqual({
      status,
      json: { message: expect.any(String) },
    });
    expect(answer.text).not.toMatch(/sharp|vips|busboy|\/work|node_modules/i);
    expect(await listPictures()).toEqual([]);
  });

  it("11 MB without a length", async () => {
    const body = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n${"a".repeat(11_000_000)}\r\n--x--\r\n`;
    expect(
      await instance.call("POST", "/api/system/upload-pfp", {
        bearer: "anna",
        body,
        headers: { ...boundary, "transfer-encoding": "chunked" },
      }),
    ).toMatchObject({ status: 413, json: { message: expect.stringContaining("too large") } });
  });

  it("the message for a missing file is the wire's", async () => {
    expect(
      await instance.call("POST", "/api/system/upload-pfp", { bearer: "anna", body: {} }),
    ).toMatchObject({
      json: { message: "File upload failed." },
      headers: { "carrel-error": '{"code":"picture.missing"}' },
    });
    expect(
      await instance.call("POST", "/api/system/upload-logo", {
        bearer: "manager",
        body: form("file", Buffer.from("x")),
      }),
    ).toMatchObject({
      json: { message: "No logo file provided." },
      headers: { "carrel-error": '{"code":"picture.logo-missing"}' },
    });
  });

  it("a hundred concurrent uploads each get a reply", async () => {
    const body = await picture(2_000, 2_000);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        instance.call("POST", "/api/system/upload-pfp", {
          bearer: "bela",
          body: form("file", body),
        }),
      ),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses.has(200)).toBe(true);
    await instance.call("DELETE", "/api/system/remove-pfp", { bearer: "bela" });
    expect(await listPictures()).toEqual([]);
  });
});
