# The modules of src/ in the order in which data flows; a module may include only headers of itself and of earlier ones.
set(MANSARD_MODULES units input machine workload schedule stream cache model report study app)
