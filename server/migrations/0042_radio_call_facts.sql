-- The names of radios: [{"unit": 1610018, "label": "Engine 5"}]; null: none is known.
alter table radio_calls add column unit_labels jsonb;
-- The name that the first radio sent about itself.
alter table radio_calls add column talker_alias text;
-- All frequencies in hertz, if there are several.
alter table radio_calls add column frequencies bigint[];

-- Further categories beside group_name.
alter table talkgroups add column other_groups text[];
