import type { MigrationInterface, QueryRunner } from "typeorm";

/** Records `schedule.changed` in the outbox when a schedule or one of its runs changes. */
export class AnnounceSchedules1796300520000 implements MigrationInterface {
  readonly name = "AnnounceSchedules1796300520000";

  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query("SELECT current_schema() AS schema")) as [
      { schema: string },
    ];
    const announce = (id: string, userId: string): string => `
      INSERT INTO outbox (kind, name, payload)
      VALUES (
        'event', 'schedule.changed', jsonb_build_object('scheduleId', ${id}, 'userId', ${userId})
      );
      PERFORM pg_notify('carrel_outbox_${schema}', '');
      RETURN NULL;`;
    await runner.query(`CREATE FUNCTION announce_schedule() RETURNS trigger LANGUAGE plpgsql
      SET search_path = "${schema}", pg_temp AS $$
    BEGIN
      ${announce("coalesce(NEW.id, OLD.id)", "coalesce(NEW.user_id, OLD.user_id)")}
    END $$`);
    await runner.query(`CREATE FUNCTION announce_schedule_run() RETURNS trigger LANGUAGE plpgsql
      SET search_path = "${schema}", pg_temp AS $$
    DECLARE
      owner integer := (SELECT user_id FROM schedule WHERE id = NEW.schedule_id);
    BEGIN
      ${announce("NEW.schedule_id", "owner")}
    END $$`);
    // What only runs write, such as the next time, changes with a run.
    await runner.query(`CREATE TRIGGER announce_schedule
      AFTER INSERT OR DELETE OR UPDATE OF active, updated_at ON schedule
      FOR EACH ROW EXECUTE FUNCTION announce_schedule()`);
    await runner.query(`CREATE TRIGGER announce_schedule_run
      AFTER INSERT OR UPDATE OF state, webhook_attempts ON schedule_run
      FOR EACH ROW EXECUTE FUNCTION announce_schedule_run()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TRIGGER announce_schedule_run ON schedule_run");
    await runner.query("DROP TRIGGER announce_schedule ON schedule");
    await runner.query("DROP FUNCTION announce_schedule_run()");
    await runner.query("DROP FUNCTION announce_schedule()");
  }
}
