import {
  agentFrames,
  attachmentWire,
  chatCompletion,
  chatRecordWire,
  chatResult,
  deliveryWire,
  documentJson,
  fileItem,
  flowStep,
  historyItem,
  inviteWire,
  metricsWire,
  responseWire,
  sourceWire,
  streamFrame,
  threadWire,
  userWire,
  webhookWire,
  widgetWire,
  workspaceDetailWire,
  workspaceWire,
} from "@carrel/contracts";
import { z } from "zod";

export type Schema = Record<string, unknown>;

export function toSchema(type: z.ZodType, io: "input" | "output"): Schema {
  const {
    $schema: _,
    $defs,
    ...schema
  } = z.toJSONSchema(type, {
    io,
    unrepresentable: "any",
    target: "draft-2020-12",
  }) as Schema;
  return $defs === undefined ? schema : (referToNamed(schema) as Schema);
}

/** Schemas that contain themselves have an ID, by which the document lists them. */
const referToNamed = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));

/** What the developer API's streams have instead of, and in addition to, those of the app. */
const developerFrame = z.union([
  ...streamFrame.options.map((option) => {
    switch (option.shape.type.value) {
      case "textResponseChunk":
        // Those of agents have an `id`.
        return option.extend({
          uuid: z.string().optional(),
          id: z.string().optional(),
          error: z.literal(false).nullable(),
        });
      case "finalizeResponseStream":
        return option.extend({
          sources: z.array(sourceWire),
          ...chatResult.pick({ thoughts: true, outputs: true }).shape,
          textResponse: z.string().optional(),
        });
      default:
        return option;
    }
  }),
  ...agentFrames,
]);

/** Any other failure; its format depends on the status. */
const failure: Schema = { type: "object", properties: { error: { type: "string" } } };

/** Shapes with which several routes reply; clients use these names for their types. */
const shapes = {
  Attachment: attachmentWire,
  ChatAnswer: chatResult,
  ChatCompletion: chatCompletion,
  Document: documentJson,
  HistoryItem: historyItem,
  Invite: inviteWire,
  LibraryFile: fileItem,
  Metrics: metricsWire,
  OpenAiResponse: responseWire,
  RecordedChat: chatRecordWire,
  Source: sourceWire,
  StreamFrame: developerFrame,
  Thread: threadWire,
  UserAccount: userWire,
  Webhook: webhookWire,
  WebhookDelivery: deliveryWire,
  Widget: widgetWire,
  Workspace: workspaceWire,
  WorkspaceDetail: workspaceDetailWire,
};

export const refer = (name: keyof typeof shapes | "Failure"): Schema => ({
  $ref: `#/components/schemas/${name}`,
});

/** Replaces each named shape with a reference to it; examples are left unchanged. */
function replaceNamed(value: unknown, names: ReadonlyMap<string, string>, own?: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => replaceNamed(item, names));
  const schema = value as Schema;
  if (schema.type === "object" || schema.oneOf !== undefined || schema.anyOf !== undefined) {
    const name = names.get(JSON.stringify(schema));
    if (name !== undefined && name !== own) return { $ref: `#/components/schemas/${name}` };
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, item]) => [
      key,
      key === "example" ? item : replaceNamed(item, names),
    ]),
  );
}

/** The document's paths and schemas, in which each named shape appears once. */
export function nameSchemas(paths: Schema): { paths: unknown; schemas: Schema } {
  const written = Object.entries(shapes).map(
    ([name, type]) => [name, toSchema(type, "output")] as const,
  );
  const recursive = referToNamed(
    z.toJSONSchema(flowStep.array(), { unrepresentable: "any" }).$defs,
  ) as Schema;
  const names = new Map(written.map(([name, schema]) => [JSON.stringify(schema), name]));
  return {
    paths: replaceNamed(paths, names),
    schemas: {
      Failure: failure,
      FlowStep: recursive.FlowStep,
      ...Object.fromEntries(
        written.map(([name, schema]) => [name, replaceNamed(schema, names, name)]),
      ),
    },
  };
}
