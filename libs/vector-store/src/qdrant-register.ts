import { randomUUID } from "node:crypto";
import type { QdrantClient } from "@qdrant/js-client-rest";
import type { GuardedConnection } from "./guarded-connection.ts";
import { isQdrantStatus } from "./qdrant-collection.ts";
import type { TableRegister } from "./remote-vector-index.ts";

const point = "00000000-0000-4000-8000-000000000001";
interface Register {
  name: string;
  tables: string[];
}

/**
 * A single-point collection on the server: a random name and every collection ever created. The
 * name changes when one of them is missing or the server has lost everything. All replicas see the
 * same register.
 */
export class QdrantRegister implements TableRegister {
  private changes: Promise<void> = Promise.resolve();

  constructor(
    private readonly connection: GuardedConnection,
    private readonly client: QdrantClient,
    private readonly collection: string,
  ) {}

  async identity(): Promise<string> {
    const found = await this.read();
    if (found) return found.name;
    await this.change((register) => register);
    return (await this.read())?.name ?? "";
  }

  add(table: string): Promise<void> {
    return this.change(({ name, tables }) =>
      tables.includes(table)
        ? { name: randomUUID(), tables }
        : { name, tables: [...tables, table] },
    );
  }

  remove(table: string): Promise<void> {
    return this.change(({ name, tables }) => ({
      name,
      tables: tables.filter((one) => one !== table),
    }));
  }

  private change(build: (register: Register) => Register): Promise<void> {
    const changed = this.changes.then(async () => {
      const found = await this.read();
      const register = build(found ?? { name: randomUUID(), tables: [] });
      if (found && JSON.stringify(found) === JSON.stringify(register)) return;
      await this.run(async () => {
        // When two replicas create it at once, the conflict means that it exists.
        if (!found)
          await this.client
            .createCollection(this.collection, { vectors: {} })
            .catch((fault: unknown) => {
              if (!isQdrantStatus(fault, 409)) throw fault;
            });
        await this.client.upsert(this.collection, {
          wait: true,
          points: [{ id: point, vector: {}, payload: { ...register } }],
        });
      });
    });
    this.changes = changed.catch(() => undefined);
    return changed;
  }

  private async read(): Promise<Register | null> {
    const points = await this.run(() =>
      this.client
        .retrieve(this.collection, { ids: [point], with_payload: true, with_vector: false })
        .catch((fault: unknown) => {
          if (isQdrantStatus(fault, 404)) return [];
          throw fault;
        }),
    );
    const { name, tables } = points[0]?.payload ?? {};
    return typeof name === "string" && Array.isArray(tables)
      ? { name, tables: tables.map(String) }
      : null;
  }

  private run<T>(work: () => Promise<T>): Promise<T> {
    return this.connection.run(work);
  }
}
