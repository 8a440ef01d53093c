import TICDSPrograms

Suite.main()
