-- The rules that name a place and look for words, by what they name: the clips of these places are transcribed first.
create index rules_at_place on rules using gin ((definition -> 'where') jsonb_path_ops)
  where is_enabled and jsonb_path_exists(definition, '$.when.**.words');
