import { Column, Entity, PrimaryColumn } from "typeorm";

/**
 * Allows a user to use a workspace. Only matters for role default; managers and admins use all of
 * them.
 */
@Entity({ name: "workspace_member" })
export class Member {
  @PrimaryColumn({ type: "integer" })
  workspaceId!: number;

  @PrimaryColumn({ type: "integer" })
  userId!: number;

  @Column({ type: "timestamptz", precision: 3 })
  createdAt!: Date;
}
