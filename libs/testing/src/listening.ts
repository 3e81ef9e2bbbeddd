import { broadcastChannel } from "@carrel/messaging";
import { waitFor } from "./waiting.ts";

interface Messaging {
  connections: {
    commands: { pubsub: (subcommand: "NUMSUB", channel: string) => Promise<unknown[]> };
  };
}

/**
 * Waits until Redis knows the listener of a domain event (`broadcast.on` itself does not wait):
 * what is told from here on is heard.
 */
export async function listening(messaging: Messaging, event: { name: string }): Promise<void> {
  await waitFor(
    async () =>
      Number(
        (
          await messaging.connections.commands.pubsub(
            "NUMSUB",
            broadcastChannel(`event:${event.name}`),
          )
        )[1],
      ) > 0,
    { what: `a listener of ${event.name}` },
  );
}
