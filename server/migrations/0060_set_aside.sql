-- What rules could not judge is tried again later, so that it does not stop the rest. Unset: it is due.
alter table clips_to_judge add column again_date timestamptz;
alter table rule_sweeps add column again_date timestamptz;
