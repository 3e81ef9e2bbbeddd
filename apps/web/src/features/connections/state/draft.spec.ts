import type { ConnectionWire, ConnectorField, ConnectorWire } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { addressOfSource, buildDraft, findFaults, isOtherServer, startDraft } from "./draft.ts";

const field = (name: string, kind: ConnectorField["kind"], more: Partial<ConnectorField> = {}) => ({
  name,
  kind,
  label: name,
  required: false,
  ...more,
});
const connector: ConnectorWire = {
  id: "forge",
  label: "Forge",
  description: "",
  fields: [
    field("repo", "address", { required: true }),
    field("branch", "text", { isListed: true }),
    field("limit", "number", { default: 5, min: 1, max: 10 }),
    field("ignore", "lines", { default: ["dist"] }),
    field("issues", "switch", { default: true }),
    field("part", "choice", { options: [{ value: "all", label: "All" }] }),
  ],
  credentialFields: [field("token", "secret")],
  abilities: { permissions: true, changes: true, discovers: false },
};
const saved = {
  id: "c1",
  name: "Docs",
  settings: { repo: "https://git.example.org/a/b", branch: "main", hidden: 1, issues: false },
  hasCredential: true,
} as unknown as ConnectionWire;

describe("the form of a source", () => {
  it("opens with the defaults, and leaves out what isn't filled in", () => {
    const draft = startDraft(connector, null);
    expect(draft.settings).toEqual({
      repo: "",
      branch: "",
      limit: "5",
      ignore: "dist",
      issues: true,
      part: "all",
    });
    draft.settings.repo = " https://git.example.org/a/b ";
    draft.settings.ignore = "dist\n\n *.lock \n";
    draft.credential.token = " s3cret ";
    expect(buildDraft(connector, draft, null)).toEqual({
      connector: "forge",
      settings: {
        repo: "https://git.example.org/a/b",
        limit: 5,
        ignore: ["dist", "*.lock"],
        issues: true,
        part: "all",
      },
      credential: { token: " s3cret " },
    });
  });
  it("keeps what it doesn't show, and clears what is emptied", () => {
    const draft = startDraft(connector, saved);
    expect(draft).toMatchObject({ name: "Docs", credential: { token: "" } });
    draft.settings.branch = "";
    expect(buildDraft(connector, draft, saved)).toEqual({
      connector: "forge",
      settings: { hidden: 1, repo: saved.settings.repo, ignore: [], issues: false, part: "all" },
      connectionId: "c1",
    });
  });
  it("finds missing fields and numbers out of range", () => {
    const { settings } = startDraft(connector, null);
    expect(findFaults(connector.fields, { ...settings, limit: "0" })).toEqual({
      repo: "required",
      limit: "tooSmall",
    });
    expect(findFaults(connector.fields, { ...settings, repo: "x", limit: "11" })).toEqual({
      limit: "tooLarge",
    });
    expect(findFaults(connector.fields, { ...settings, repo: "x", limit: "ten" })).toEqual({
      limit: "number",
    });
  });
  it.each([
    ["https://git.example.org/other/repo", false],
    ["git.example.org/other", false],
    ["https://evil.example.org/a/b", true],
  ])("asks for the credential again for another server: %s", (repo, isOther) => {
    const draft = startDraft(connector, saved);
    draft.settings.repo = repo;
    expect(isOtherServer(connector, draft, saved)).toBe(isOther);
  });

  it("shows where a source is", () => {
    expect(addressOfSource(connector, saved.settings)).toBe("https://git.example.org/a/b");
    const folder = { ...connector, id: "folder", fields: [field("path", "text")] };
    expect(addressOfSource(folder, { path: "/srv/documents" })).toBe("/srv/documents");
    expect(addressOfSource({ ...folder, id: "mailbox" }, { path: "/srv" })).toBeNull();
    expect(addressOfSource(undefined, saved.settings)).toBeNull();
  });
});
