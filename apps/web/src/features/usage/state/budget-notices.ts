import { listBudgetNotices, type Out } from "@carrel/contracts";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { readRights } from "../../../lib/current-user.ts";
import { addTexts } from "../../../lib/i18n.ts";
import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";
import { toast } from "../../../lib/toast.ts";
import budgets from "../../../locales/en/budgets.json" with { type: "json" };

// Separate from the texts of the usage page, because every page shows these.
addTexts("budgets", budgets);

type Notice = Out<typeof listBudgetNotices>["notices"][number];

/** A level is reached once per period. */
const nameOf = ({ id, periodStart, level }: Notice): string => `${id} ${periodStart} ${level}`;

function readShown(): string[] {
  try {
    const shown: unknown = JSON.parse(readStored(keys.budgetNotices) ?? "[]");
    return Array.isArray(shown) ? shown.filter((name) => typeof name === "string") : [];
  } catch {
    return []; // edited by hand
  }
}

/** Shows budgets that have reached a level, each once in this browser. */
export async function showBudgetNotices(): Promise<void> {
  const { notices } = await call(listBudgetNotices, {});
  const shown = readShown();
  const { admin } = readRights();
  for (const notice of notices.filter((each) => !shown.includes(nameOf(each)))) {
    const { level, period, subject } = notice;
    const owner = subject === "user" && !admin ? "self" : subject;
    const whose = i18next.t(`budgets:whose.${owner}`);
    toast.info(i18next.t(`budgets:${level}_${period}`, { whose }));
  }
  writeStored(keys.budgetNotices, JSON.stringify(notices.map(nameOf)));
}
