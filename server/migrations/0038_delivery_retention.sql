-- Finds the ended postbacks that are old enough to be removed; see EARSHOT_DELIVERY_DAYS.
create index postbacks_ended on postbacks (creation_date) where postback_state <> 'waiting';
