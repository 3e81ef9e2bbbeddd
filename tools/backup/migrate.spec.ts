import { expect, it } from "@jest/globals";
import { PlainError } from "../terminal.ts";
import { migrateAll } from "./migrate.ts";

it("refuses to prepare another database than the one that DATABASE_URL gives the services", async () => {
  const migration = migrateAll([], {
    DATABASE_OWNER_URL: "postgres://carrel:one@127.0.0.1:1/carrel",
    DATABASE_URL: "postgres://me:two@db.example/desk",
  });
  await expect(migration).rejects.toBeInstanceOf(PlainError);
  await expect(migration).rejects.toThrow(/DATABASE_URL is set.*external\/database-owner-url/s);
});
