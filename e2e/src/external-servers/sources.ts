import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ConnectionWire } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Api } from "../api.ts";
import type { Launch } from "../checkout-copy.ts";

const facts: Record<string, string> = {
  "/boiler": "The boiler in the cellar is serviced every October by Nordwind Heating.",
  "/glass": "Glass is collected on the second Tuesday of the month behind the shed.",
  "/laundry": "A wash in the laundry room costs two tokens, which Mrs. Albers sells.",
};

/** A site on this machine, whose pages are moved and deleted. */
export function testSources(instance: () => Launch): void {
  describe("a website as a source", () => {
    let site: Server;
    let api: Api;
    let slug: string;
    /** Paths by the page's first path; null: deleted. */
    const places = new Map<string, string | null>(Object.keys(facts).map((path) => [path, path]));

    beforeAll(async () => {
      site = createServer(({ url }, response) => {
        response.setHeader("content-type", "text/html");
        const links = Object.keys(facts).map((path) => `<a href="${path}">page</a>`);
        if (url === "/")
          return void response.end(`<title>/</title><p>The house.</p>${links.join(" ")}`);
        for (const [path, place] of places) {
          if (url === place)
            return void response.end(`<title>${place}</title><p>${facts[path]} See ${place}.</p>`);
          if (url === path && place !== null)
            return void response.writeHead(301, { location: place }).end();
        }
        return void response.writeHead(404).end();
      }).listen(0, "127.0.0.1");
      await once(site, "listening");
      api = new Api(instance().url);
      ({ slug } = await api.makeWorkspace("Crawled"));
      await api.json("POST", `/workspace/${slug}/update`, { chatMode: "query" });
    });
    afterAll(() => site?.close().closeAllConnections());

    /** Which of the facts are quoted when somebody asks for them. */
    const findFacts = async (): Promise<string[]> => {
      const found: string[] = [];
      for (const [path, question] of [
        ["/boiler", "When is the boiler in the cellar serviced?"],
        ["/glass", "When is glass collected?"],
        ["/laundry", "What does a wash in the laundry room cost?"],
      ] as const)
        if ((await api.ask(slug, question)).raw.includes(facts[path]!)) found.push(path);
      return found;
    };
    const listTitles = async (): Promise<string[]> => {
      const { documents } = await api.json<{ documents: { title: string }[] }>(
        "GET",
        `/workspace/${slug}/documents`,
      );
      return documents.map(({ title }) => title).sort();
    };

    it("loses what is deleted, follows what moves, and goes with its source", async () => {
      const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
      const settings = { url, depth: 1, maxPages: 20, sitemap: false };
      const path = `/workspace/${slug}/connections`;
      const { connection } = await api.json<{ connection: ConnectionWire }>("POST", path, {
        connector: "website",
        settings,
      });
      const ofSource = `${path}/${connection.id}`;
      const untilImported = () =>
        poll(
          async () =>
            (await api.json<{ connection: ConnectionWire }>("GET", ofSource)).connection.run?.state,
          { timeoutMs: 60_000 },
        ).toBe("finished");
      await untilImported();
      await poll(findFacts, { timeoutMs: 60_000 }).toEqual(["/boiler", "/glass", "/laundry"]);

      places.set("/boiler", null).set("/glass", "/waste/glass");
      await api.json("POST", `${ofSource}/start`);
      await untilImported();
      await poll(findFacts, { timeoutMs: 60_000 }).toEqual(["/glass", "/laundry"]);
      expect(await listTitles()).toEqual(["/", "/laundry", "/waste/glass"]);

      await api.json("DELETE", `${ofSource}?documents=true`);
      await poll(findFacts).toEqual([]);
      expect(await listTitles()).toEqual([]);
    }, 180_000);
  });
}
