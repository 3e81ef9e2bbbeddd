import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Api } from "../api.ts";
import { type Access } from "./access.ts";

export function testProfilePicture(access: Access): void {
  describe("profile pictures", () => {
    let admin: Api;
    let manager: Api;
    beforeAll(() => {
      admin = access.admin;
      manager = access.manager;
    });

    it("accepts images as profile pictures, and rejects everything else", async () => {
      const user = admin;
      const send = (content: Uint8Array<ArrayBuffer> | string, type: string, field = "file") => {
        const form = new FormData();
        form.set(field, new Blob([content], { type }), "me.png");
        return user.call("POST", "/system/upload-pfp", form);
      };
      for (const [content, type] of [
        ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "image/svg+xml"],
        ["not a picture", "image/png"],
        ["", "image/png"],
        ["GIF89a", "image/gif"],
      ] as const) {
        const reply = await send(content, type);
        expect({ type, status: reply.status, text: reply.text }).toMatchObject({
          status: expect.any(Number),
        });
        expect(reply.status).toBeGreaterThanOrEqual(400);
        expect(reply.status).toBeLessThan(500);
      }
      const pixel = Uint8Array.from(
        Buffer.from(
          "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
          "base64",
        ),
      );
      expect((await send(pixel, "image/png")).status).toBe(200);
      const { user: self } = await user.json<{ user: { id: number; pfpFilename: string | null } }>(
        "GET",
        "/system/refresh-user",
      );
      expect(self.pfpFilename).toEqual(expect.any(String));
      const picture = await fetch(`${access.url}/api/system/pfp/${self.id}`, {
        headers: { authorization: `Bearer ${user.token}` },
      });
      expect([
        picture.status,
        picture.headers.get("content-type"),
        picture.headers.get("x-content-type-options"),
      ]).toEqual([200, "image/webp", "nosniff"]);
      expect((await manager.call("GET", `/system/pfp/${self.id}`)).status).toBe(204);
      expect((await user.call("DELETE", "/system/remove-pfp")).status).toBe(200);
      expect((await user.call("GET", `/system/pfp/${self.id}`)).status).toBe(204);
    });
  });
}
