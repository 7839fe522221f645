import { randomBytes } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';

/**
 * Sends `Update_software` with any parameters, also those that the platform refuses: a device must not rely on the
 * platform for its own safety.
 */
export async function createAnyUpdate(
  { db }: Pick<TestServer, 'db'>,
  client: Client,
  deviceID: number,
): Promise<(parameters: object) => Promise<number>> {
  await db.unsafe(`
    create table sent_instead (sha256 text primary key, parameters text not null);
    create function send_instead() returns trigger language plpgsql as $$
      begin
        select coalesce((select parameters from sent_instead where sha256 = new.event_parameters::json ->> 'sha256'),
          new.event_parameters) into new.event_parameters;
        return new;
      end $$;
    create trigger send_instead before insert on events for each row execute function send_instead()`);
  return async (parameters) => {
    const sha256 = randomBytes(32).toString('hex');
    await db`insert into agent_releases (sha256, program, version, file_size) values (${sha256}, 'agent', '0.0.0', 0)`;
    await db`insert into sent_instead (sha256, parameters) values (${sha256}, ${JSON.stringify(parameters)})`;
    const eventParameters = JSON.stringify({ version: '0.0.0', sha256 });
    const { key = 0 } = await client.createEvent({ body: { deviceID, eventType: 'Update_software', eventParameters } });
    return key;
  };
}
