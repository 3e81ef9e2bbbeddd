import type { FormQuestion } from "@carrel/contracts";
import { answerElicitation } from "./elicitation.ts";

const schema = {
  type: "object",
  properties: {
    name: { type: "string", title: "Your name" },
    mail: { type: "string", format: "email" },
    size: { type: "string", enum: ["s", "m"], enumNames: ["Small", "Medium"] },
    colour: { type: "string", oneOf: [{ const: "r", title: "Red" }], default: "r" },
    extras: { type: "array", items: { type: "string", enum: ["x", "y"] } },
    count: { type: "integer", default: 3 },
    sure: { type: "boolean" },
  },
  required: ["name"],
};

async function ask(
  answers: (string | string[] | null)[],
  params: object = { message: "Details?", requestedSchema: schema },
): Promise<[result: unknown, asked: FormQuestion[]]> {
  let asked: FormQuestion[] = [];
  const result = await answerElicitation("shop", params, (questions) => {
    asked = questions;
    return Promise.resolve(answers);
  });
  return [result, asked];
}

describe("questions of MCP servers", () => {
  it("become a form, whose answers have the types that the server expects", async () => {
    const [result, asked] = await ask(["Mira", "m@x.example", "Medium", null, ["x"], "2.5", "No"]);
    expect(asked.map((each) => (each.kind === "input" ? each.inputType : each.options))).toEqual([
      "text",
      "email",
      ["Small", "Medium"],
      ["Red"],
      ["x", "y"],
      "number",
      ["Yes", "No"],
    ]);
    expect(asked[0]!.question).toBe("shop: Details?\n\nYour name");
    expect(result).toEqual({
      action: "accept",
      content: {
        name: "Mira",
        mail: "m@x.example",
        size: "m",
        colour: "r",
        extras: ["x"],
        count: 2.5,
        sure: false,
      },
    });
  });

  it("are cancelled if nobody answers, and declined without a usable answer", async () => {
    const none = [null, null, null, null, null, null, null];
    expect((await ask(none))[0]).toEqual({ action: "cancel" });
    expect((await ask([null, ...none.slice(2), "Yes"]))[0]).toEqual({ action: "decline" });
    expect((await ask(["Mira", null, "Huge"]))[0]).toEqual({ action: "decline" });
    expect((await ask(["Mira", null, null, null, null, "many"]))[0]).toEqual({ action: "decline" });
  });

  it("aren't shown if people can't be shown them", async () => {
    const bad = { message: "?", requestedSchema: { properties: { a: { type: "object" } } } };
    expect(await ask([], bad)).toEqual([{ action: "decline" }, []]);
    const many = Object.fromEntries(
      Array.from({ length: 21 }, (_, at) => [`f${at}`, { type: "string" }]),
    );
    expect(await ask([], { message: "?", requestedSchema: { properties: many } })).toEqual([
      { action: "decline" },
      [],
    ]);
    expect(await ask([], { mode: "url", message: "?" })).toEqual([{ action: "decline" }, []]);
  });

  it("may only want a yes", async () => {
    const only = { message: "Go?", requestedSchema: { type: "object", properties: {} } };
    expect((await ask(["Yes"], only))[0]).toEqual({ action: "accept", content: {} });
    expect((await ask(["No"], only))[0]).toEqual({ action: "decline" });
    expect((await ask([null], only))[0]).toEqual({ action: "cancel" });
  });
});
