import { row, type AccessRow } from "./access-row.ts";

const fields = { url: "https://hooks.example/carrel", events: ["answer.finished"] };
const webhook = { url: fields.url, events: fields.events, enabled: true };

/** Webhooks of the app and, under /v1, of the developer API. */
const rowsOf = (bearer: "admin" | "key"): AccessRow[] => {
  const [base, nameOf] =
    bearer === "admin"
      ? ["", (app: string) => `workspace.webhook.${app}`]
      : ["/v1", (_: string, key: string) => `gateway.developer.${key}`];
  const call = (
    names: [app: string, key: string],
    [method, path, body]: [string, (id: string, delivery: string) => string, unknown?],
    answer: unknown,
    more: Partial<AccessRow> = {},
  ): AccessRow =>
    row(
      nameOf(...names),
      bearer,
      (world) => [method, `${base}/webhooks${path(world.webhook!, world.delivery!)}`, body],
      answer,
      more,
    );
  return [
    call(
      ["create", "create-webhook"],
      ["POST", () => "", fields],
      { webhook },
      {
        keep: (answer: { webhook: { id: number } }, world) => {
          world.webhook = String(answer.webhook.id);
        },
      },
    ),
    call(["list", "list-webhooks"], ["GET", () => ""], { webhooks: [webhook] }),
    call(
      ["update", "update-webhook"],
      ["PUT", (id) => `/${id}`, { ...fields, description: "Build" }],
      { webhook: { ...webhook, description: "Build" } },
    ),
    call(["rotate-secret", "rotate-webhook-secret"], ["POST", (id) => `/${id}/secret`], {}),
    call(
      ["test", "test-webhook"],
      ["POST", (id) => `/${id}/test`],
      {},
      {
        keep: (answer: { deliveryId: string }, world) => {
          world.delivery = answer.deliveryId;
        },
      },
    ),
    call(["list-deliveries", "list-webhook-deliveries"], ["GET", (id) => `/${id}/deliveries`], {
      deliveries: [{ event: "webhook.test" }],
      nextCursor: null,
    }),
    call(
      ["replay", "replay-webhook-delivery"],
      ["POST", (id, delivery) => `/${id}/deliveries/${delivery}/replay`],
      { success: true },
    ),
    call(["delete", "delete-webhook"], ["DELETE", (id) => `/${id}`], { success: true }),
    call(
      ["delete", "delete-webhook"],
      ["DELETE", (id) => `/${id}`],
      { error: "This webhook doesn't exist." },
      { status: 404 },
    ),
  ];
};

export const webhookRows: AccessRow[] = [...rowsOf("admin"), ...rowsOf("key")];
