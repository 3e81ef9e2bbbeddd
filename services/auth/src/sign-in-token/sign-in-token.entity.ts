import { Column, Entity, PrimaryColumn } from "typeorm";

/**
 * Signs a user in once: from the developer API (simple SSO, 6 minutes) or from an OpenID sign-in (1
 * minute).
 */
@Entity("sign_in_token")
export class SignInToken {
  @PrimaryColumn("text") hash!: string;
  @Column("integer") userId!: number;
  @Column("text") method!: "sso" | "openid";
  @Column("timestamptz") expiresAt!: Date;
}
