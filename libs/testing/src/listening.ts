import { waitFor } from "./waiting.ts";

interface Messaging {
  connections: {
    commands: { pubsub: (subcommand: "NUMSUB", channel: string) => Promise<unknown[]> };
  };
}

/**
 * Waits until Redis has registered the listener of a domain event, which `broadcast.on` does not
 * do: events from here on are received.
 */
export async function listening(messaging: Messaging, event: { name: string }): Promise<void> {
  // Imported only here, because browser tests load this package and never need messaging.
  const { broadcastChannel } = await import("@carrel/messaging");
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
