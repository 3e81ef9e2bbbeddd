import type { Socket } from "node:net";
import type { Client, Dispatcher, buildConnector } from "undici";

const waiting = new Map<number, (() => void)[]>();

/**
 * Calls back halfway between two multiples of `periodMs`, together with everything else that has
 * the same period: one timer per stream would cost more than the work it triggers. Texts are sent
 * on at the multiples (`Coalescer` in services/chat).
 */
export function onAlignedTick(periodMs: number, call: () => void): void {
  const calls = waiting.get(periodMs);
  if (calls !== undefined) {
    calls.push(call);
    return;
  }
  waiting.set(periodMs, [call]);
  setTimeout(() => {
    const due = waiting.get(periodMs) ?? [];
    waiting.delete(periodMs);
    for (const each of due) each();
  }, untilTick(periodMs));
}

const untilTick = (periodMs: number): number =>
  Math.ceil(periodMs - ((performance.now() + periodMs / 2) % periodMs));

/**
 * Controls how a client reads its connection: as bytes arrive or, once a period is set, at
 * intervals, while they wait in the system's buffer. A model's answer arrives as hundreds of
 * packets, and reading one costs more than everything done with its bytes.
 */
export class ConnectionReads {
  private periodMs = 0;
  private postponed: (() => void) | null = null;

  /** From now on, reads only every `milliseconds`; 0: at once. */
  every(milliseconds: number): void {
    this.periodMs = milliseconds;
    if (milliseconds === 0) this.readPostponed();
  }

  /** The socket must stop reading after each read (`highWaterMark: 1`). */
  attach(socket: Socket): void {
    this.periodMs = 0;
    this.postponed = null;
    const read = socket._read.bind(socket);
    socket._read = (size) => {
      if (this.periodMs === 0) return read(size);
      this.postponed = () => {
        if (!socket.destroyed) read(size);
      };
      onAlignedTick(this.periodMs, () => this.readPostponed());
    };
  }

  private readPostponed(): void {
    const read = this.postponed;
    this.postponed = null;
    read?.();
  }
}

/** A call's handler, which decides how its reply is read. */
export interface PacedHandler extends Dispatcher.DispatchHandler {
  /** Set when the call is given a connection. */
  reads: ConnectionReads | null;
}

const isPaced = (handler: Dispatcher.DispatchHandler): handler is PacedHandler =>
  "reads" in handler;

/** A client with one connection, whose `PacedHandler`s decide how it is read. */
export function createPacedClient(
  create: (connect: buildConnector.connector) => Client,
  connect: buildConnector.connector,
): Client {
  const reads = new ConnectionReads();
  const client = create((options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      reads.attach(socket);
      callback(null, socket);
    }),
  );
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (options, handler) => {
    if (isPaced(handler)) handler.reads = reads;
    return dispatch(options, handler);
  };
  return client;
}
