import type { Fault, Out, registerDocument } from "@carrel/contracts";
import { Column, Entity, PrimaryColumn } from "typeorm";

/** An item of an import's source, in the order in which the connector listed it. */
@Entity("import_item")
export class ImportItem {
  @PrimaryColumn("uuid") importId!: string;
  @PrimaryColumn("integer") ordinal!: number;
  /** The data that the connector needs to fetch it. */
  @Column("jsonb") item!: unknown;
  @Column("text") state!: "pending" | "done" | "failed";
  /** The document it became. */
  @Column("jsonb", { nullable: true }) document!: Out<typeof registerDocument> | null;
  @Column("jsonb", { nullable: true }) fault!: Fault | null;
}
