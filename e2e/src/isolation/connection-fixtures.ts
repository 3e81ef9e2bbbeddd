import * as c from "@carrel/contracts";
import { inWorkspace, plain, type Entry, type Fixture } from "./fixture.ts";

/** Nothing listens there, so nothing is fetched. */
const draft = { connector: "website", settings: { url: "http://127.0.0.1:9/" } };
const ofConnection = (more: Partial<Fixture> = {}, body?: unknown): Fixture => ({
  names: ["workspace", "connection"],
  call: ({ slug, connectionId }) => ({
    params: { slug, connectionId },
    ...(body !== undefined && { body }),
  }),
  ...more,
});
/** 409: it isn't being imported. */
const ofRun = ofConnection({ allowed: [200, 409] }, {});

const ofRepository: Fixture = {
  ...plain,
  call: () => ({
    params: { platform: "github" },
    body: { repo: "http://127.0.0.1:9/a/b", branch: "main" },
  }),
};

export const connectionFixtures: Entry[] = [
  [c.listConnectors, plain],
  [c.listConnections, inWorkspace()],
  [c.createConnection, inWorkspace({ ...draft, start: false })],
  [c.getConnection, ofConnection()],
  [c.updateConnection, ofConnection({}, { name: "Handbook" })],
  [c.removeConnection, ofConnection({ deletes: true })],
  [c.checkConnection, inWorkspace(draft)],
  [c.listChoices, inWorkspace({ ...draft, field: "url" })],
  // The source can't be reached, which is found out after the permission check.
  [c.previewConnection, { ...inWorkspace(draft), allowed: [200, 400, 422] }],
  [c.startRun, ofRun],
  [c.pauseRun, ofRun],
  [c.resumeRun, ofRun],
  [c.cancelRun, ofRun],
  [c.retryRun, ofRun],
  [c.listSourceItems, ofConnection()],
  [c.watchConnections, inWorkspace()],
  // Nothing listens there; existing clients get the reason with status 200.
  [c.listRepositoryBranches, ofRepository],
  [c.importRepository, ofRepository],
  [c.importWebsite, { ...plain, call: () => ({ body: { url: "http://127.0.0.1:9/" } }) }],
  [c.importYoutube, { ...plain, call: () => ({ body: { url: "http://127.0.0.1:9/" } }) }],
  [c.importPaperless, { ...plain, call: () => ({ body: { baseUrl: "http://127.0.0.1:9/" } }) }],
  [c.importVault, { ...plain, call: () => ({ body: { files: [{ name: " ", content: "" }] } }) }],
  [
    c.importConfluence,
    { ...plain, call: () => ({ body: { baseUrl: "http://127.0.0.1:9/", spaceKey: "A" } }) },
  ],
  [
    c.importDrupalwiki,
    { ...plain, call: () => ({ body: { baseUrl: "http://127.0.0.1:9/", spaceIds: "1" } }) },
  ],
];
