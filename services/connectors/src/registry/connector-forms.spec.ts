import type { ConnectorWire } from "@carrel/contracts";
import { formTexts } from "@carrel/texts";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { ConnectorsConfig } from "../connectors.config.ts";
import { ConnectorRegistry } from "./connector-registry.ts";

const registry = new ConnectorRegistry({ CARREL_SOURCE_FOLDERS: ["/srv"] } as ConnectorsConfig);
beforeAll(() => registry.onModuleInit());

/** The same in every language. */
const names = [
  "Confluence",
  "Drupal Wiki",
  "GitHub",
  "GitLab",
  "Gitea",
  "Jira",
  "Notion",
  "Paperless-ngx",
  "STARTTLS",
  "TLS",
  "YouTube",
];

const textsOf = ({ label, description, fields, credentialFields }: ConnectorWire): string[] => [
  label,
  description,
  ...[...fields, ...credentialFields].flatMap((field) => [
    field.label,
    ...(field.help === undefined ? [] : [field.help]),
    ...(field.options ?? []).map((option) => option.label),
  ]),
];

describe("forms of sources", () => {
  it("say only what is translated, and names", () => {
    const said = new Set(registry.listForms(undefined).flatMap(textsOf));
    expect([...said].toSorted()).toEqual([...formTexts, ...names].toSorted());
  });

  it("are in the person's language", () => {
    const form = registry.listForms("de").find(({ id }) => id === "imap")!;
    expect(form.label).toBe("Postfach (IMAP)");
    expect(form.fields[0]).toMatchObject({ label: "Server", placeholder: "imap.example.com" });
    expect(form.fields.flatMap(({ options = [] }) => options)).toContainEqual({
      value: "none",
      label: "Keine",
    });
    expect(form.credentialFields.at(-1)!.help).toBe(
      "Die meisten Anbieter verlangen ein App-Passwort.",
    );
  });
});
