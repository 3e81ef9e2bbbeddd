import {
  createBudget,
  deleteBudget,
  getModelOverrides,
  getUsage,
  listBudgetNotices,
  listBudgets,
  setModelOverrides,
  updateBudget,
  type BudgetWire,
  type ModelOverride,
  type Out,
  type UsageReport,
} from "@carrel/contracts";
import { matcher, type FakeCall } from "./fake-call.ts";

type Group = UsageReport["groups"][number];

const groupOf = (key: string | null, name: string | null, weight: number, cost: number | null) => ({
  key,
  name,
  answers: 10 * weight,
  failed: weight > 3 ? 1 : 0,
  inputTokens: 12_000 * weight,
  cachedTokens: 0,
  outputTokens: 3_000 * weight,
  reasoningTokens: 0,
  characters: key === "tts-1" ? 12_400 : 0,
  audioSeconds: key === "whisper-1" ? 754 : 0,
  searches: 0,
  cost,
  unpriced: cost === null ? 10 * weight : 0,
});

/** Usage and budgets of the fake gateway: the same every day, but more at the end of the week. */
export class FakeUsage {
  /** Queries of the reports, without their time zone. */
  readonly asked: { path: string; query: Record<string, string> }[] = [];
  isEmpty = false;
  overrides: ModelOverride[] = [];
  notices: Out<typeof listBudgetNotices>["notices"] = [];
  budgets: BudgetWire[] = [
    {
      id: 1,
      subject: "instance",
      subjectId: null,
      name: null,
      period: "month",
      unit: "dollars",
      warnAt: 40,
      stopAt: 50,
      used: 42.5,
    },
    {
      id: 2,
      subject: "workspace",
      subjectId: 1,
      name: "Heat-pump retrofit",
      period: "day",
      unit: "tokens",
      warnAt: null,
      stopAt: 100_000,
      used: 100_400,
    },
  ];

  /** Returns true if it answered the call. */
  handle({ method, path, query, reply, body, response }: FakeCall): boolean {
    const at = matcher({ method, path });
    if (at("GET", /^\/system\/model-overrides$/)) {
      reply(getModelOverrides, { overrides: this.overrides });
      return true;
    }
    if (at("PUT", /^\/system\/model-overrides$/)) {
      this.overrides = body.overrides as ModelOverride[];
      reply(setModelOverrides, { success: true });
      return true;
    }
    if (at("GET", /^\/usage(\/own)?$/) || at("GET", /^\/usage\/export$/)) {
      const { timeZone: _timeZone, ...rest } = Object.fromEntries(query);
      this.asked.push({ path, query: rest });
      if (path !== "/usage/export") reply(getUsage, this.report(query));
      else response.writeHead(200, { "content-type": "text/csv" }).end("Time (UTC)\r\n");
      return true;
    }
    if (at("GET", /^\/usage\/notices$/)) {
      reply(listBudgetNotices, { notices: this.notices });
      return true;
    }
    if (at("GET", /^\/usage\/budgets$/)) {
      reply(listBudgets, { budgets: this.budgets });
      return true;
    }
    const found =
      at("PUT", /^\/usage\/budgets\/(\d+)$/) ?? at("DELETE", /^\/usage\/budgets\/(\d+)$/);
    if (found) {
      const id = Number(found[1]);
      this.budgets = this.budgets.flatMap((budget) =>
        budget.id !== id ? [budget] : method === "PUT" ? [{ ...budget, ...(body as object) }] : [],
      );
      reply(method === "PUT" ? updateBudget : deleteBudget, { success: true });
      return true;
    }
    if (at("POST", /^\/usage\/budgets$/)) {
      const id = this.budgets.length + 1;
      this.budgets.push({ ...(body as unknown as BudgetWire), name: null, used: 0, id });
      reply(createBudget, { id });
      return true;
    }
    return false;
  }

  private report(query: URLSearchParams): UsageReport {
    const groups = this.isEmpty ? [] : this.groups(query);
    const sum = (read: (group: Group) => number): number =>
      groups.reduce((total, group) => total + read(group), 0);
    return {
      totals: {
        answers: sum(({ answers }) => answers),
        failed: sum(({ failed }) => failed),
        inputTokens: sum(({ inputTokens }) => inputTokens),
        cachedTokens: 0,
        outputTokens: sum(({ outputTokens }) => outputTokens),
        reasoningTokens: 0,
        characters: sum(({ characters }) => characters),
        audioSeconds: sum(({ audioSeconds }) => audioSeconds),
        searches: 0,
        cost: sum(({ cost }) => cost ?? 0),
        unpriced: sum(({ unpriced }) => unpriced),
        medianFirstTokenMs: this.isEmpty ? null : 640,
      },
      groups,
    };
  }

  private groups(query: URLSearchParams): Group[] {
    switch (query.get("groupBy")) {
      case "day": {
        const days: Group[] = [];
        const to = Date.parse(query.get("to")!);
        for (let at = Date.parse(query.get("from")!); at <= to; at += 86_400_000) {
          const weight = 1 + (new Date(at).getUTCDay() % 6);
          const day = new Date(at).toISOString().slice(0, 10);
          days.push(groupOf(day, null, weight, weight * 0.21));
        }
        return days;
      }
      case "user":
        return [
          groupOf("1", "rosa", 3, 4.2),
          groupOf("9", null, 1, 0.7),
          groupOf(null, null, 1, 0),
        ];
      case "key":
        return [groupOf("1", null, 4, 1.26), groupOf(null, null, 4, 4.9)];
      case "workspace":
        return [groupOf("1", "Heat-pump retrofit", 3, 4.9)];
      default:
        return [groupOf("gpt-4.1", null, 4, 4.9), groupOf("our-own-model", null, 1, null)];
    }
  }
}
