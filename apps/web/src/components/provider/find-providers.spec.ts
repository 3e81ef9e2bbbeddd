import { findProviders } from "../../lib/providers.ts";

const providers = [
  { id: "generic-openai", name: "OpenAI compatible" },
  { id: "lmstudio", name: "LM Studio" },
  { id: "zai", name: "Z.ai" },
];

it.each([
  ["generic", ["generic-openai"]],
  ["openai-compatible", ["generic-openai"]],
  ["LMStudio", ["lmstudio"]],
  ["lm st", ["lmstudio"]],
  ["z.ai", ["zai"]],
  // The providers most people look for come first.
  [" ", ["lmstudio", "generic-openai", "zai"]],
  ["mistral", []],
])("%j finds %j", (term, ids) => {
  expect(findProviders(providers, term).map(({ id }) => id)).toEqual(ids);
});
