import * as c from "@carrel/contracts";
import { plain, type Entry, type Fixture } from "./fixture.ts";

const fields = { url: "http://127.0.0.1:9/", events: ["answer.finished"] };
/** None of them exists: webhooks are the instance's, so only their policy matters here. */
const params = { id: "2000000000", deliveryId: "00000000-0000-4000-8000-000000000000" };
const gone = (body?: unknown): Fixture => ({
  names: [],
  call: () => ({ params, ...(body !== undefined && { body }) }),
  allowed: [404],
});

export const webhookFixtures: Entry[] = [
  ...both(c.listWebhooks, "list-webhooks", plain),
  ...both(c.createWebhook, "create-webhook", { ...plain, call: () => ({ body: fields }) }),
  ...both(c.updateWebhook, "update-webhook", gone(fields)),
  ...both(c.deleteWebhook, "delete-webhook", gone()),
  ...both(c.rotateWebhookSecret, "rotate-webhook-secret", gone()),
  ...both(c.testWebhook, "test-webhook", gone()),
  ...both(c.listDeliveries, "list-webhook-deliveries", gone()),
  ...both(c.replayDelivery, "replay-webhook-delivery", gone()),
];

/** Covers the app's route and the developer API's. */
function both(operation: c.Operation, name: string, fixture: Fixture): Entry[] {
  return [
    [operation, fixture],
    [`gateway.developer.${name}`, fixture],
  ];
}
