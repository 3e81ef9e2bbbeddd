import { Column, Entity, PrimaryColumn } from "typeorm";

/** A question suggested in a workspace's empty chats. */
@Entity({ name: "suggested_message" })
export class SuggestedMessage {
  @PrimaryColumn({ type: "integer" })
  workspaceId!: number;

  @PrimaryColumn({ type: "integer" })
  position!: number;

  @Column({ type: "text" })
  heading!: string;

  @Column({ type: "text" })
  message!: string;
}
