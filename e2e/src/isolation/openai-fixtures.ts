import * as c from "@carrel/contracts";
import { plain, type Entry, type Fixture } from "./fixture.ts";

/** The workspace is named by the body. */
const askModel = (question: object): Fixture => ({
  names: ["workspace"],
  call: ({ slug }) => ({ body: { model: slug, ...question } }),
});

export const openAiFixtures: Entry[] = [
  [c.listOpenAiModels, plain],
  [c.getOpenAiModel, { ...plain, call: ({ slug }) => ({ params: { slug } }) }],
  [c.createChatCompletion, askModel({ messages: [{ role: "user", content: "Isolated?" }] })],
  [c.createResponse, askModel({ input: "Isolated?" })],
  [c.listVectorStores, plain],
  // 503: the built-in embedder's model may be missing.
  [
    c.createEmbeddings,
    { ...plain, call: () => ({ body: { input: "Isolated" } }), allowed: [200, 503] },
  ],
];
