import { Column, CreateDateColumn, Entity, PrimaryColumn } from "typeorm";

/** A person's identity at an OpenID provider, and the account linked to it. */
@Entity("identity")
export class Identity {
  @PrimaryColumn("text") issuer!: string;
  @PrimaryColumn("text") subject!: string;
  @Column("integer") userId!: number;
  @CreateDateColumn({ type: "timestamptz", precision: 3 }) createdAt!: Date;
}
