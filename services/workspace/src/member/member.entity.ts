import { Column, Entity, PrimaryColumn } from "typeorm";

/**
 * That a user may use a workspace. It decides for people with role default; managers and admins use
 * all.
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
