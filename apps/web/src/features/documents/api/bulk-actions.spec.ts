import { beforeAll, describe, expect, it } from "@jest/globals";
import i18next from "i18next";
import { registerToaster, type Toast } from "../../../lib/toast.ts";
import documentsManager from "../../../locales/en/documents-manager.json" with { type: "json" };
import "../../../../testing/texts.ts";
import { reportOutcome, type Outcome, type OutcomeKey } from "./bulk-actions.ts";

const shown: Toast[] = [];

beforeAll(async () => {
  await i18next.init({ lng: "en", resources: { en: { "documents-manager": documentsManager } } });
  registerToaster((toast) => shown.push(toast));
});

describe("the outcome of a bulk action", () => {
  it.each<[OutcomeKey, Outcome, Toast]>([
    ["moved", { affected: 2, skipped: 0 }, { kind: "success", message: "2 documents moved." }],
    [
      "moved",
      { affected: 1_200, skipped: 1 },
      {
        kind: "success",
        message: "1,200 documents moved. 1 document is no longer in the library.",
      },
    ],
    [
      "added",
      { affected: 0, skipped: 3 },
      {
        kind: "info",
        message:
          "3 documents were left out: already in the workspace, unreadable, or no longer in the library.",
      },
    ],
    [
      "added",
      { affected: 0, skipped: 0 },
      { kind: "info", message: "All of them are already in the workspace." },
    ],
    ["pinned", { affected: 0, skipped: 0 }, { kind: "info", message: "Nothing was changed." }],
  ])("%s, %j", (key, outcome, toast) => {
    reportOutcome(key, outcome);
    expect(shown.at(-1)).toEqual(toast);
  });
});
