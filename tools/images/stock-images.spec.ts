import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { root } from "../checkout.ts";
import { findDigest, nameImages, readImages, referenceOf, users } from "./pin-images.ts";

const images = readImages();
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const digest = `sha256:${"0a".repeat(32)}`;

describe("images of others", () => {
  it.each(users)("%s names each as deploy/images.json does", (file) => {
    expect(nameImages(read(file), Object.values(images))).toBe(read(file));
  });

  it("Compose, the chart and the Dockerfile name no other", () => {
    const compose = [...read(users[0]!).matchAll(/image: \$\{[A-Z]+_IMAGE:-([^}]+)\}$/gm)].map(
      ([, reference]) => reference,
    );
    const { node, ...servers } = images;
    expect(compose.toSorted()).toEqual(Object.values(servers).map(referenceOf).toSorted());
    const values = read(users[1]!);
    const chart = (name: string): string =>
      new RegExp(`^${name}:\\n(?: +.*\\n)*? +image: (\\S+)$`, "m").exec(values)![1]!;
    for (const name of ["postgresql", "redis", "qdrant"])
      expect(chart(name)).toBe(referenceOf(images[name]!));
    expect(/^ARG NODE_IMAGE=(\S+)$/m.exec(read(users[2]!))![1]).toBe(referenceOf(node!));
  });

  it("the stand-ins of tests are of the same versions", () => {
    const script = read("tools/images/base-images.sh");
    expect(/^POSTGRES=(\S+)$/m.exec(script)![1]).toBe(images.postgresql!.image);
    expect(/^REDIS=(\S+)$/m.exec(script)![1]).toBe(images.redis!.image);
    expect(images.node!.image).toBe(`node:${read(".node-version").trim()}-trixie-slim`);
  });

  it("pins a name once, and replaces an earlier digest", () => {
    const stock = { image: "postgres:18-trixie", digest };
    const pinned = `image: postgres:18-trixie@${digest}`;
    expect(nameImages("image: postgres:18-trixie", [stock])).toBe(pinned);
    expect(nameImages(pinned.replaceAll("0a", "1b"), [stock])).toBe(pinned);
    expect(nameImages("image: other/postgres:18-trixie", [stock])).toBe(
      "image: other/postgres:18-trixie",
    );
  });
});

describe("a registry", () => {
  let server: Server;
  let url: string;
  const asked: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      if (request.url?.startsWith("/token")) return response.end('{"token":"of the day"}');
      if (request.headers.authorization !== "Bearer of the day")
        return response
          .writeHead(401, {
            "www-authenticate": `Bearer realm="${url}/token",service="hub",scope="pull"`,
          })
          .end();
      if (request.url === "/v2/library/gone/manifests/1") return response.writeHead(404).end();
      const kind = request.url === "/v2/library/single/manifests/1" ? "manifest" : "index";
      return response
        .writeHead(200, {
          "content-type": `application/vnd.oci.image.${kind}.v1+json`,
          "docker-content-digest": digest,
        })
        .end();
    });
    await new Promise<void>((done) => {
      server.listen(0, "127.0.0.1", done);
    });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it("tells the digest of the list of platforms, with the token it asks for", async () => {
    expect(await findDigest("postgres:18-trixie", url)).toBe(digest);
    expect(await findDigest("qdrant/qdrant:v1", url)).toBe(digest);
    expect(asked).toEqual([
      "HEAD /v2/library/postgres/manifests/18-trixie",
      "GET /token?service=hub&scope=pull",
      "HEAD /v2/library/postgres/manifests/18-trixie",
      "HEAD /v2/qdrant/qdrant/manifests/v1",
      "GET /token?service=hub&scope=pull",
      "HEAD /v2/qdrant/qdrant/manifests/v1",
    ]);
  });

  it("has no digest of an unknown image, or of one for a single platform", async () => {
    await expect(findDigest("gone:1", url)).rejects.toThrow("gone:1: the registry answered 404");
    await expect(findDigest("single:1", url)).rejects.toThrow("no list of platforms");
  });
});
