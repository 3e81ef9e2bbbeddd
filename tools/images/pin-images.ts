// `node tools/images/pin-images.ts`: looks up the digests of the images in deploy/images.json and writes them there
// and into the files that use the images. Needs access to Docker Hub; run after changing a version, and before a
// release, which brings the fixes that a tag has received.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../checkout.ts";

/** `digest` is that of the list of all platforms, or null before it has been looked up. */
interface StockImage {
  image: string;
  digest: string | null;
}

const listFile = join(root, "deploy/images.json");
/** What names the images. */
export const users = [
  "deploy/compose/compose.yaml",
  "deploy/helm/carrel/values.yaml",
  "Dockerfile",
];

export const readImages = (): Record<string, StockImage> =>
  JSON.parse(readFileSync(listFile, "utf8")) as Record<string, StockImage>;

export const referenceOf = ({ image, digest }: StockImage): string =>
  digest === null ? image : `${image}@${digest}`;

/** The text with each image of the list named as the list says. */
export const nameImages = (text: string, images: readonly StockImage[]): string =>
  images.reduce(
    (named, stock) =>
      named.replaceAll(
        new RegExp(
          `(?<![\\w/.-])${stock.image.replaceAll(/[.+]/g, "\\$&")}(?![\\w.-])(@sha256:[0-9a-f]{64})?`,
          "g",
        ),
        referenceOf(stock),
      ),
    text,
  );

const indexTypes = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
].join(", ");

/** The digest of an image's list of platforms in a registry of Docker Hub's kind. */
export async function findDigest(
  image: string,
  registry = "https://registry-1.docker.io",
): Promise<string> {
  const [name = "", tag = "latest"] = image.split(":");
  const path = name.includes("/") ? name : `library/${name}`;
  const ask = (token?: string): Promise<Response> =>
    fetch(`${registry}/v2/${path}/manifests/${tag}`, {
      method: "HEAD",
      headers: {
        accept: indexTypes,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      signal: AbortSignal.timeout(30_000),
    });
  let reply = await ask();
  if (reply.status === 401)
    reply = await ask(await getToken(reply.headers.get("www-authenticate")));
  const digest = reply.headers.get("docker-content-digest") ?? "";
  if (!reply.ok || !/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new Error(`${image}: the registry answered ${reply.status} without a digest`);
  if (!indexTypes.includes(reply.headers.get("content-type") ?? "none"))
    throw new Error(`${image}: the registry has no list of platforms`);
  return digest;
}

/** A token for whoever asks, from where the challenge says. */
async function getToken(challenge: string | null): Promise<string> {
  const fields = Object.fromEntries(
    [...(challenge ?? "").matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
  );
  const url = new URL(fields.realm ?? "");
  for (const name of ["service", "scope"]) url.searchParams.set(name, fields[name] ?? "");
  const reply = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  return ((await reply.json()) as { token: string }).token;
}

if (import.meta.main) {
  const images = readImages();
  for (const stock of Object.values(images)) {
    stock.digest = await findDigest(stock.image);
    process.stdout.write(`${referenceOf(stock)}\n`);
  }
  const lines = Object.entries(images).map(
    ([name, stock]) =>
      `  ${JSON.stringify(name)}: ${JSON.stringify(stock)
        .replaceAll(/([:,])"/g, '$1 "')
        .replace("{", "{ ")
        .replace("}", " }")}`,
  );
  writeFileSync(listFile, `{\n${lines.join(",\n")}\n}\n`);
  for (const file of users) {
    const path = join(root, file);
    writeFileSync(path, nameImages(readFileSync(path, "utf8"), Object.values(images)));
  }
}
