import { Column, CreateDateColumn, Entity, PrimaryColumn } from "typeorm";

/** A person as an OpenID provider knows them, and the account that is theirs. */
@Entity("identity")
export class Identity {
  @PrimaryColumn("text") issuer!: string;
  @PrimaryColumn("text") subject!: string;
  @Column("integer") userId!: number;
  @CreateDateColumn({ type: "timestamptz", precision: 3 }) createdAt!: Date;
}
