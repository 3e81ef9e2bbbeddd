import type { ServerResponse } from "node:http";
import { CarrelError } from "@carrel/contracts";
import { EgressError } from "@carrel/egress";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { listAll, startFixtureServer, type FixtureServer } from "../../test/fixture-server.ts";
import type { Connector } from "../connector/connector.ts";
import { toSourceFault } from "../connector/source-fault.ts";
import { loadConnectors } from "./load-connectors.ts";

/** Of sources that are asked over HTTP; a new one must be here, or among those below. */
const settingsOf: Record<string, (address: string) => object> = {
  confluence: (url) => ({ url, space: "HR", deployment: "self-hosted" }),
  drupalwiki: (url) => ({ url }),
  feed: (url) => ({ url: `${url}/feed` }),
  gitea: (url) => ({ repo: `${url}/octo/handbook` }),
  github: (url) => ({ repo: `${url}/octo/handbook` }),
  gitlab: (url) => ({ repo: `${url}/octo/handbook` }),
  jira: (url) => ({ url, project: "HR" }),
  notion: () => ({}),
  "paperless-ngx": (url) => ({ url }),
  s3: (url) => ({ endpoint: url, bucket: "docs" }),
  webdav: (url) => ({ url: `${url}/dav` }),
  website: (url) => ({ url: `${url}/docs/` }),
  youtube: () => ({ url: "https://www.youtube.com/playlist?list=PL0123456789abcdef" }),
};
/** A link that can't be read is unreachable to existing clients, whatever the reason. */
const others = ["folder", "imap", "link"];
const credentials = {
  token: "t",
  username: "u",
  accessToken: "t",
  password: "p",
  accessKey: "k",
  secretKey: "s",
};

/** Every request gets the same answer. */
let answer: (response: ServerResponse) => void;
let connectors: Map<string, Connector>;
let served: FixtureServer;
beforeAll(async () => {
  served = await startFixtureServer((_request, response) => answer(response), {
    origins: ["https://api.notion.com", "https://www.youtube.com"],
  });
  connectors = new Map((await loadConnectors()).map((each) => [each.id, each]));
});
afterAll(() => served.stop());

it("every connector is known here", () => {
  expect([...connectors.keys()].toSorted()).toEqual(
    [...Object.keys(settingsOf), ...others].toSorted(),
  );
});

/** Why a source, and its first item, can't be read; null if they can. */
async function read(id: string): Promise<Pick<CarrelError, "code" | "retryAfter"> | null> {
  const connector = connectors.get(id)!;
  try {
    const source = await connector.open(
      connector.settings.parse(settingsOf[id]!(served.address)),
      connector.credential.parse(credentials),
      served.context,
    );
    await source.check();
    const [item] = await listAll(source);
    await source.fetch(item!.item, null);
    return null;
  } catch (error) {
    const fault = error instanceof EgressError ? toSourceFault(error) : error;
    if (!(fault instanceof CarrelError)) throw fault;
    return { code: fault.code, retryAfter: fault.retryAfter };
  }
}

const status =
  (code: number, headers: Record<string, string> = {}, body = "no") =>
  (response: ServerResponse): void =>
    void response.writeHead(code, headers).end(body);

const missing = ["source.missing", "source.repository-missing", "source.not-recognised"];
const unexpected = ["egress.unexpected-response", "source.not-recognised"];
/** What a website sends is a page. */
const anything = Object.keys(settingsOf).filter((id) => id !== "website");

describe.each<[string, typeof answer, string[], string[]?]>([
  ["401", status(401), ["source.denied"]],
  ["403", status(403), ["source.denied"]],
  ["404", status(404), missing],
  ["429 with Retry-After", status(429, { "retry-after": "77" }), ["source.busy"]],
  ["503 with Retry-After", status(503, { "retry-after": "77" }), ["source.busy"]],
  ["500", status(500), ["source.failing"]],
  [
    "a redirect to a private address",
    status(302, { location: "http://10.0.0.1/latest" }),
    ["egress.not-public", ...unexpected],
  ],
  [
    "a page in place of data",
    status(200, { "content-type": "text/html" }, "<html>Sign in"),
    unexpected,
    anything,
  ],
  ["nothing", status(200, {}, ""), unexpected, anything],
  [
    "a connection that is cut",
    (response) => {
      response.writeHead(200, { "content-length": "999" }).write("<");
      setImmediate(() => response.destroy());
    },
    ["egress.unreachable"],
  ],
])("a source that answers with %s", (name, given, codes, ids = Object.keys(settingsOf)) => {
  it.each(ids)("says so: %s", async (id) => {
    answer = given;
    const fault = await read(id);
    expect(codes).toContain(fault?.code);
    expect(fault?.retryAfter).toBe(name.includes("Retry-After") ? 77 : undefined);
  });
});
