-- The current event of an agent is read from the events it holds, so that takes and reports need not write the agent's
-- row. What an agent writes itself counts until its next take: this is when it wrote that.

alter table agents add column current_event_date timestamptz;
