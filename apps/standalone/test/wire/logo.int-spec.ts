import { join } from "node:path";
import { findLogo, findPicture, setLogo, setPicture } from "@carrel/contracts";
import { createBlobStore, type BlobStore } from "@carrel/storage";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import sharp from "sharp";
import { multiUser, startGatewayInstance, type GatewayInstance } from "./gateway-instance.ts";

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
    .answer(setLogo, (({ key, theme }: { key: string | null; theme?: "light" }) => {
      const { previous } = replace(theme === "light" ? "light logo" : "logo", key);
      return { unused: previous === null ? [] : [previous] };
    }) as never)
    .answer(findLogo, () => ({
      key: rows.get("logo") ?? null,
      light: rows.get("light logo") ?? null,
    }));
});

afterAll(() => instance?.stop());

describe("the logo", () => {
  const headersOf = (isCustom: boolean, filename: string, type: string): object => ({
    "x-is-custom-logo": String(isCustom),
    "content-disposition": `attachment; filename=${filename}`,
    "content-type": type,
    "access-control-expose-headers": expect.stringContaining("X-Is-Custom-Logo"),
  });
  it("is Carrel's, in a light and a dark version, until one is set", async () => {
    const [dark, light] = await Promise.all([
      instance.call("GET", "/api/system/logo"),
      instance.call("GET", "/api/system/logo?theme=light"),
    ]);
    expect(dark).toMatchObject({
      status: 200,
      headers: {
        ...headersOf(false, "carrel-dark.png", "image/png"),
        "content-length": String(dark.bytes.length),
        "content-security-policy": `sandbox; default-src 'none'`,
      },
    });
    expect(light).toMatchObject({
      status: 200,
      headers: headersOf(false, "carrel-light.png", "image/png"),
    });
    expect(dark.bytes.equals(light.bytes)).toBe(false);
    const [bright, black] = await Promise.all(
      [dark, light].map(
        async ({ bytes }) =>
          (await sharp(bytes).flatten({ background: "#808080" }).stats()).channels[0]!.mean,
      ),
    );
    expect(bright).toBeGreaterThan(black!);
  });

  it("is replaced by managers and admins, for both themes, and removed again", async () => {
    expect(
      await instance.call("POST", "/api/system/upload-logo", {
        bearer: "anna",
        body: form("logo", await picture()),
      }),
    ).toMatchObject({ status: 401, text: "Unauthorized" });
    expect(
      await instance.call("POST", "/api/system/upload-logo", {
        bearer: "manager",
        body: form("logo", await picture(1_600, 200), "../../anything-llm.png"),
      }),
    ).toMatchObject({ status: 200, json: { message: "Logo uploaded successfully." } });
    for (const theme of ["light", "default"]) {
      const shown = await instance.call("GET", `/api/system/logo?theme=${theme}`);
      expect(shown).toMatchObject({
        status: 200,
        headers: headersOf(true, "logo.webp", "image/webp"),
      });
      expect(await sharp(shown.bytes).metadata()).toMatchObject({ width: 800, height: 100 });
    }
    expect(instance.workspace.last(setLogo)!.context.scope.address).toBe("127.0.0.1");
    await blobs.delete(rows.get("logo")!);
    expect((await instance.call("GET", "/api/system/logo")).status).toBe(204);
    expect(
      await instance.call("GET", "/api/system/remove-logo", { bearer: "admin" }),
    ).toMatchObject({ status: 200, json: { message: "Logo removed successfully." } });
    expect(instance.workspace.last(setLogo)!.context.scope).toMatchObject({
      address: "127.0.0.1",
      principal: { userId: 1 },
    });
    expect((await instance.call("GET", "/api/system/logo")).headers["x-is-custom-logo"]).toBe(
      "false",
    );
  });

  it("is another one in the light theme, if that has its own", async () => {
    const upload = async (query: string, width: number): Promise<void> => {
      const body = form("logo", await picture(width));
      expect(
        await instance.call("POST", `/api/system/upload-logo${query}`, { bearer: "admin", body }),
      ).toMatchObject({ status: 200 });
    };
    const widths = () =>
      Promise.all(
        ["default", "light"].map(async (theme) => {
          const { bytes } = await instance.call("GET", `/api/system/logo?theme=${theme}`);
          return (await sharp(bytes).metadata()).width;
        }),
      );
    await upload("", 300);
    await upload("?theme=light", 200);
    expect(await widths()).toEqual([300, 200]);
    const light = rows.get("light logo")!;
    await instance.call("GET", "/api/system/remove-logo?theme=light", { bearer: "admin" });
    expect(await widths()).toEqual([300, 300]);
    await expect(blobs.get(light)).rejects.toThrow();
    expect(
      (await instance.call("GET", "/api/system/remove-logo?theme=sepia", { bearer: "admin" }))
        .status,
    ).toBe(400);
    await instance.call("GET", "/api/system/remove-logo", { bearer: "admin" });
  });

  it("can be uploaded without a password, but not by another site", async () => {
    instance.settings = { ...multiUser, RequiresAuth: false, MultiUserMode: false };
    expect(
      (
        await instance.call("POST", "/api/system/upload-logo", {
          body: form("logo", await picture()),
          headers: { origin: "https://evil.example" },
        })
      ).status,
    ).toBe(403);
  });
});
